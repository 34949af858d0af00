import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { listFiles } from './source-files.ts'

const PAGES = /^web\/src\/.*\.tsx$/
/** Attributes whose text users read. */
const READ_ATTRIBUTES = new Set([
  'aria-label',
  'title',
  'label',
  'placeholder',
  'alt',
  'caption',
  'hint',
  'lead',
  'head',
])
/** Contents that are already translated or identical in every language. */
const NOT_PROSE = new Set(['Trans', 'Plural', 'code', 'pre', 'kbd', 'Command', 'CopyCommand'])
/** Names, units, keys and formats. */
const NAMES =
  /&\w+;|\b(Tapeline|Google|OpenAPI|esc|UTC|JSON|CSV|REST|HTTP|SDK|curl|TypeScript|Python|ms|kB|min|p50|p95|p99|[A-Z])\b/g

const SHOWS_RIGHT = new Set(['&&', '||', '??'])

type Node = { type?: string; [field: string]: unknown }
export type PlainText = { file: string; message: string }

/** Untranslated text in pages: every text must be a message (web/README.md, Languages). */
export function findPlainTexts(rootDir: string): PlainText[] {
  return listFiles(rootDir)
    .filter((file) => PAGES.test(file) && !file.includes('.test.'))
    .flatMap((file) => {
      const code = readFileSync(join(rootDir, file), 'utf8')
      const words = wordsIn(parseSync(code, { syntax: 'typescript', tsx: true, target: 'esnext' }) as unknown as Node)
      return words.map((text) => ({ file, message: `shows “${text}”, which is not a message: use t or <Trans>` }))
    })
}

function wordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  if (typeof value !== 'object' || value === null) return []
  const node: Node = { ...value }
  if (node.type === 'JSXElement' && isNoProse(node)) return []
  return [...ownWords(node), ...Object.values(node).flatMap(wordsIn)]
}

function ownWords(node: Node): string[] {
  if (node.type === 'JSXText') return proseIn(node['value'])
  if (node.type === 'JSXAttribute') return READ_ATTRIBUTES.has(textOf(node['name'])) ? shownBy(node['value']) : []
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const children = Array.isArray(node['children']) ? node['children'] : []
    return children.flatMap((child: Node) => (child.type === 'JSXExpressionContainer' ? shownBy(child) : []))
  }
  return []
}

/** Literals that an expression may render. */
function shownBy(value: unknown): string[] {
  const node = Object(value) as Node
  switch (node.type ?? '') {
    case 'StringLiteral':
      return proseIn(node['value'])
    case 'TemplateLiteral':
      return list(node['quasis']).flatMap((quasi) => proseIn(quasi['cooked']))
    case 'JSXExpressionContainer':
    case 'ParenthesisExpression':
      return shownBy(node['expression'])
    case 'ConditionalExpression':
      return [...shownBy(node['consequent']), ...shownBy(node['alternate'])]
    case 'BinaryExpression':
      return SHOWS_RIGHT.has(String(node['operator'])) ? shownBy(node['right']) : []
    default:
      return []
  }
}

function proseIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value.trim() : ''
  return /\p{L}/u.test(text.replaceAll(NAMES, '')) ? [text.replaceAll(/\s+/g, ' ')] : []
}

/** Code, messages, and elements marked as the same in every language. */
function isNoProse({ opening }: Node): boolean {
  const { name, attributes } = opening as Node
  const isVerbatim = list(attributes).some(
    (attribute) => textOf(attribute['name']) === 'translate' && textOf(attribute['value']) === 'no',
  )
  return isVerbatim || NOT_PROSE.has(textOf(name))
}

/** Name of an identifier; a qualified name has none here. */
function textOf(value: unknown): string {
  const node = value as Node | undefined
  return typeof node?.['value'] === 'string' ? node['value'] : ''
}

function list(value: unknown): Node[] {
  return Array.isArray(value) ? value : []
}
