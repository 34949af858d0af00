import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync, type ModuleItem } from '@swc/core'
import type { ForbiddenImport } from './find-forbidden-imports.ts'
import { listFiles } from './source-files.ts'

/** Import cycles. Type imports are ignored, because they are erased before anything is loaded. */
export function findCycles(rootDir: string): ForbiddenImport[] {
  const files = listFiles(rootDir).filter((file) => /\.tsx?$/.test(file))
  const imports = new Map(files.map((file) => [file, loadedBy(file, readFileSync(join(rootDir, file), 'utf8'))]))
  return files.flatMap((from) =>
    (imports.get(from) ?? [])
      .filter((to) => from < to && reaches(imports, to, from))
      .map((to) => ({ rule: 'no-cycles', from, to })),
  )
}

function reaches(imports: Map<string, string[]>, start: string, goal: string): boolean {
  const seen = new Set([start])
  for (const file of seen) {
    if (file === goal) return true
    for (const next of imports.get(file) ?? []) seen.add(next)
  }
  return false
}

function loadedBy(file: string, code: string): string[] {
  const { body } = parseSync(code, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'esnext' })
  return body.flatMap((item) => {
    const specifier = loadedSpecifier(item)
    const path = specifier === undefined ? undefined : pathOf(file, specifier)
    return path === undefined ? [] : [path]
  })
}

function loadedSpecifier(item: ModuleItem): string | undefined {
  if (item.type !== 'ImportDeclaration' || item.typeOnly) return undefined
  const isTypesOnly =
    item.specifiers.length > 0 && item.specifiers.every((one) => one.type === 'ImportSpecifier' && one.isTypeOnly)
  return isTypesOnly ? undefined : item.source.value
}

function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier))
  const [, lib, path] = /^@tapeline\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return lib === undefined ? undefined : `libs/${lib}/src/${path}.ts`
}
