import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { REPOSITORY } from './folders.ts'

const NOT_SOURCE = new Set(['node_modules', 'dist', 'golden', 'e2e'])

/** Changes when any of these files or folders (from the repository's root) changes; tests do not count. */
export function sourceHash(paths: string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of filesUnder(join(REPOSITORY, path)))
      hash.update(`${relative(REPOSITORY, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCE.has(name) && !name.includes('.test.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name }) => filesUnder(join(path, name)))
}
