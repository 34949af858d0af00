import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync, type ImportDeclaration, type ModuleItem } from '@swc/core'
import type { ForbiddenImport } from './find-forbidden-imports.ts'
import { listFiles } from './source-files.ts'

const SQL_LIBRARIES = new Set(['kysely', 'pg', 'pg-copy-streams'])
const SQL_METHODS = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'selectNoFrom'])
const MAY_HOLD_SQL =
  /-queries\.ts$|\.fixture\.ts$|\/(test|bench)\/|\.test\.tsx?$|\/migrations\/|\/src\/migrate\.ts$|^libs\/(database|testing)\//
const HAS_SQL_RULE = /^(gateway|services|libs|web)\//
const PACKAGE = /^(?:gateway|web|(?:services|libs)\/[^/]+)\//

/**
 * Violations that dependency-cruiser cannot detect: misplaced SQL (statements and values), re-exports, paths that
 * bypass a package name.
 */
export function findMisplacedCode(rootDir: string): ForbiddenImport[] {
  return listFiles(rootDir)
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const code = readFileSync(join(rootDir, file), 'utf8')
      const { body } = parseSync(code, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'esnext' })
      return [...misplacedSql(file, body), ...indirectImports(file, body)]
    })
}

function misplacedSql(file: string, body: ModuleItem[]): ForbiddenImport[] {
  if (!HAS_SQL_RULE.test(file) || MAY_HOLD_SQL.test(file)) return []
  const values = importsOf(body).filter((item) => SQL_LIBRARIES.has(item.source.value) && importsValue(item))
  const found = [...values.map((item) => item.source.value), ...sqlIn(body)]
  return [...new Set(found)].map((to) => ({ rule: 'sql-lives-in-queries', from: file, to }))
}

/** Method calls of a query builder and sql`…`, anywhere in a file. */
function sqlIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(sqlIn)
  if (typeof node !== 'object' || node === null) return []
  const own = sqlOf(node)
  return [...(own === undefined ? [] : [own]), ...Object.values(node).flatMap(sqlIn)]
}

function sqlOf(node: object): string | undefined {
  if (!('type' in node)) return undefined
  if (node.type === 'MemberExpression' && 'property' in node) {
    const name = nameOf(node.property)
    return SQL_METHODS.has(name) ? `.${name}()` : undefined
  }
  if (node.type === 'TaggedTemplateExpression' && 'tag' in node && nameOf(node.tag) === 'sql') return 'sql`…`'
  return undefined
}

function nameOf(node: unknown): string {
  return typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
    ? node.value
    : ''
}

/** The one entry of a package that users install: they import its name, not its files. */
const PUBLISHED_ENTRY = 'libs/sdk/src/client.ts'

function importsOf(body: ModuleItem[]): ImportDeclaration[] {
  return body.filter((item) => item.type === 'ImportDeclaration')
}

function importsValue({ typeOnly, specifiers }: ImportDeclaration): boolean {
  if (typeOnly) return false
  return specifiers.some((specifier) => specifier.type !== 'ImportSpecifier' || !specifier.isTypeOnly)
}

/** The replay repeats the limiter's decisions; its test imports the files of both to compare them. */
const COMPARES_BOTH = 'tests/replay/'

function indirectImports(file: string, body: ModuleItem[]): ForbiddenImport[] {
  const targets = importsOf(body).map((item) => item.source.value)
  const wrong = targets.filter(
    (target) => isAlias(target) || (!file.startsWith(COMPARES_BOTH) && entersPackage(file, target)),
  )
  const passedOn = file === PUBLISHED_ENTRY ? [] : reExports(body)
  return [...wrong, ...passedOn].map((to) => ({ rule: 'import-the-file', from: file, to }))
}

/** Re-exports of our own modules only; a file may be the single entry to a third-party package. */
function reExports(body: ModuleItem[]): string[] {
  return body
    .flatMap((item) =>
      item.type === 'ExportAllDeclaration' || item.type === 'ExportNamedDeclaration' ? [item.source] : [],
    )
    .flatMap((source) => (source === null || source === undefined ? [] : [source.value]))
    .filter((target) => /^(\.|@tapeline\/)/.test(target))
    .map((target) => `export … from '${target}'`)
}

function isAlias(target: string): boolean {
  return /^(#|~|@\/)/.test(target)
}

/** Another package is imported by its name; only that shows in its package.json. */
function entersPackage(file: string, target: string): boolean {
  if (!target.startsWith('.')) return false
  const reached = PACKAGE.exec(normalize(join(dirname(file), target)))?.[0]
  return reached !== undefined && reached !== PACKAGE.exec(file)?.[0]
}
