import { join, normalize, dirname } from 'node:path'

/**
 * Files that import a file of the repository, by relative path or by the name of one of its packages.
 * @param sources text by path from the root of the repository
 * @returns importers by the path of the imported file
 */
export function findImporters(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const [file, text] of sources) {
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\(|new URL\()\s*'([^']+)'/g)) {
      const target = resolveImport(file, specifier)
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  return importers
}

function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier))
  const [, lib, path] = /^@tapeline\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return lib === undefined ? undefined : `libs/${lib}/src/${path}.ts`
}
