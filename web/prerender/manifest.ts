import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Chunk = { file: string; css?: string[]; imports?: string[]; src?: string }

export type Manifest = Record<string, Chunk>

/** Path of the built file for a source. */
export function readManifest(outDir: string): Manifest {
  return JSON.parse(readFileSync(join(outDir, '.vite', 'manifest.json'), 'utf8'))
}

/** The entries with these names and everything that they import. */
export function withImports(manifest: Manifest, names: readonly string[]): Set<string> {
  const found = new Set(names)
  // Iterating over a set includes elements that are added meanwhile.
  for (const name of found) {
    const part = manifest[name]
    if (part === undefined) throw new Error(`The build has no ${name}.`)
    for (const imported of part.imports ?? []) found.add(imported)
  }
  return found
}
