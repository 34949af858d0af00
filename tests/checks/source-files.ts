import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const NOT_OURS = new Set(['node_modules', '.git', '.tapeline', 'dist', 'coverage'])

/** Paths from `rootDir` of everything that is written by hand (and what is generated into golden/). */
export function listFiles(rootDir: string, dir = rootDir): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return listFiles(rootDir, path)
    return entry.isFile() ? [relative(rootDir, path)] : []
  })
}

export function isCode(path: string): boolean {
  return /\.(ts|tsx|js|cjs|mjs|sh|lua)$/.test(path)
}
