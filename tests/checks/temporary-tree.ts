import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A temporary repository, removed after the test; each value is the content of the file at that path. */
export function temporaryTree(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'tree-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}

/** Makes libs/<name> importable as @tapeline/<name>, and links the installed packages into the tree. */
export function linkPackages(dir: string, libs: string[], installed: string[]): void {
  mkdirSync(join(dir, 'node_modules', '@tapeline'), { recursive: true })
  for (const lib of libs) {
    const packageJson = { name: `@tapeline/${lib}`, type: 'module', exports: { './*': './src/*.ts' } }
    mkdirSync(join(dir, 'libs', lib), { recursive: true })
    writeFileSync(join(dir, 'libs', lib, 'package.json'), JSON.stringify(packageJson))
    symlinkSync(join('..', '..', 'libs', lib), join(dir, 'node_modules', '@tapeline', lib))
  }
  for (const name of installed) {
    symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules', name), join(dir, 'node_modules', name))
  }
}
