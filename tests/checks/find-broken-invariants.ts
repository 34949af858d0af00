import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isCode, listFiles } from './source-files.ts'

export type BrokenInvariant = { file: string; message: string }

const LINES_MAX = 250
const UNNAMED = /^(utils?|helpers?|common|shared|misc|core|base|manager|processor|handler|data|info|impl)$/
/** Split, because this file would otherwise break its own rule. */
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`)
/** The public paths of the gateway and its probes. */
const PATH_LITERAL = /['"]\/(?:api|docs|livez|openapi|readyz|startupz|[.]well-known\/security)\b/
const ROUTE_TABLE = 'gateway/src/routing/route-table.ts'
/** A stage of the gateway with more dependencies should be two stages. */
const DEPENDENCIES_MAX = 8
const DEPENDENCIES = /^(?:export )?type (\w*Deps) = \{\n((?: .*\n)*)\}/gm
const PROSE_OR_CODE = /\.(ts|tsx|js|cjs|mjs|sh|lua|css|md|ya?ml|xml|conf|html)$/

/** Rules for every file of the repository (see CONTRIBUTING.md). */
export function findBrokenInvariants(rootDir: string): BrokenInvariant[] {
  return listFiles(rootDir).flatMap((file) =>
    [badName(file), ...badText(rootDir, file)].flatMap((message) => (message === undefined ? [] : [{ file, message }])),
  )
}

function badName(file: string): string | undefined {
  if (/^index\.[cm]?[jt]sx?$/.test(basename(file))) return 'is an index: name the file after what it holds'
  const stem = basename(file).replace(/\..*$/, '')
  const folders = file.split('/').slice(0, -1)
  const word = [stem, ...folders].find((part) => UNNAMED.test(part))
  if (word === undefined || isKubernetesBase(file)) return undefined
  return isCode(file) ? `is called "${word}": name it after its subject` : undefined
}

/** Kustomize's name for the directory that overlays build on is "base". */
function isKubernetesBase(file: string): boolean {
  return file.startsWith('k8s/base/')
}

function badText(rootDir: string, file: string): string[] {
  if (!PROSE_OR_CODE.test(file)) return []
  const lines = readFileSync(join(rootDir, file), 'utf8').trimEnd().split('\n')
  const found: string[] = []
  const isGenerated = lines[0]?.startsWith('// Generated from ') === true
  if (isCode(file) && !isGenerated && lines.length > LINES_MAX)
    found.push(`has ${lines.length} lines; at most ${LINES_MAX} are allowed`)
  const unfinished = lines.findIndex((line) => UNFINISHED.test(line))
  if (unfinished !== -1) found.push(`line ${unfinished + 1} has unfinished work`)
  const literal = holdsNoPaths(file) ? lines.findIndex((line) => PATH_LITERAL.test(line)) : -1
  if (literal !== -1) found.push(`line ${literal + 1} has a path of its own: take it from ${ROUTE_TABLE}`)
  if (file.startsWith('gateway/src/')) found.push(...wideDependencies(lines.join('\n')))
  return found
}

function wideDependencies(code: string): string[] {
  return [...code.matchAll(DEPENDENCIES)].flatMap(([, name, fields = '']) => {
    const count = fields.split('\n').filter((line) => /^ {2}\w+\??:/.test(line)).length
    return count > DEPENDENCIES_MAX ? [`has ${name} with ${count} fields; at most ${DEPENDENCIES_MAX} are allowed`] : []
  })
}

function holdsNoPaths(file: string): boolean {
  return file.startsWith('gateway/src/') && file !== ROUTE_TABLE && !file.endsWith('.test.ts')
}
