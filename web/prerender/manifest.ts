import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Chunk = { file: string; css?: string[]; imports?: string[]; src?: string }

export type Manifest = Record<string, Chunk>

/** Where the build put what a source names. */
export function readManifest(outDir: string): Manifest {
  return JSON.parse(readFileSync(join(outDir, '.vite', 'manifest.json'), 'utf8'))
}

/** The parts with these names and all that they import. */
export function withImports(manifest: Manifest, names: readonly string[]): Set<string> {
  const found = new Set(names)
  // A set that grows while it is walked is walked to its new end.
  for (const name of found) {
    const part = manifest[name]
    if (part === undefined) throw new Error(`The build has no ${name}.`)
    for (const imported of part.imports ?? []) found.add(imported)
  }
  return found
}
