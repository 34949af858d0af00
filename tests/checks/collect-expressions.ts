import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { listFiles } from './source-files.ts'

/** A regular expression of the product; without a source it is built at run time. */
export type Expression = { file: string; source?: string; flags: string; lengthMax?: number }

type Node = Record<string, unknown> & { type: string }
type Constants = ReadonlyMap<string, Node>

const PRODUCT = /^(gateway|services|libs|web|deploy\/local)\/.*\.tsx?$/
const NOT_RUNNING = /\.(test|e2e)\.tsx?$|\.fixture\.ts$|\/(test|bench)\/|^libs\/testing\/|^web\/e2e\//

/** Literals, what is given to `RegExp`, and the patterns of schemas with the length that they allow. */
export function collectExpressions(rootDir: string): Expression[] {
  return listFiles(rootDir)
    .filter((file) => PRODUCT.test(file) && !NOT_RUNNING.test(file))
    .flatMap((file) => expressionsOf(readFileSync(join(rootDir, file), 'utf8'), file))
}

function expressionsOf(text: string, file: string): Expression[] {
  const nodes = [...nodesOf(parseSync(text, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'esnext' }))]
  const constants: Constants = new Map(nodes.flatMap(constantOf))
  return nodes.flatMap((node) => {
    if (node.type === 'RegExpLiteral') {
      return [{ file, source: String(node['pattern']), flags: String(node['flags']) }]
    }
    const [first, second] = argumentsOf(node)
    if (isCallOf(node, 'RegExp'))
      return [withSource(file, { source: first, constants, flags: textOf(second, constants) })]
    if (!isSchemaOfText(node) || first === undefined) return []
    const fields = fieldsOf(first)
    const source = fields.get('pattern')
    if (source === undefined) return []
    const lengthMax = Number(fields.get('maxLength')?.['value'])
    const bound = Number.isNaN(lengthMax) ? {} : { lengthMax }
    return [{ ...withSource(file, { source, constants, flags: 'u' }), ...bound }]
  })
}

type ExpressionParts = { source: Node | undefined; constants: Constants; flags: string | undefined }

function withSource(file: string, { source, constants, flags = '' }: ExpressionParts): Expression {
  const text = textOf(source, constants)
  return text === undefined ? { file, flags } : { file, source: text, flags }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) yield value
  for (const child of Object.values(value)) yield* nodesOf(child)
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string'
}

function constantOf(node: Node): [string, Node][] {
  const { type, id, init } = node as Node & { id?: { value?: string }; init?: Node | null }
  return type === 'VariableDeclarator' && id?.value !== undefined && init != null ? [[id.value, init]] : []
}

function argumentsOf(node: Node): Node[] {
  const { arguments: args } = node as { arguments?: { expression: Node }[] }
  return Array.isArray(args) ? args.map(({ expression }) => expression) : []
}

function isCallOf(node: Node, name: string): boolean {
  const { type, callee } = node as Node & { callee?: { value?: string } }
  return (type === 'NewExpression' || type === 'CallExpression') && callee?.value === name
}

/** `Type.String(…)`: elsewhere a pattern is a route or a schedule. */
function isSchemaOfText({ callee }: Node): boolean {
  const { object, property } = (callee ?? {}) as { object?: { value?: string }; property?: { value?: string } }
  return object?.value === 'Type' && property?.value === 'String'
}

function fieldsOf(node: Node): Map<string, Node> {
  const { properties = [] } = node as { properties?: (Node & { key?: { value?: string }; value?: Node })[] }
  return new Map(
    properties.flatMap(({ type, key, value }) =>
      type === 'KeyValueProperty' && key?.value !== undefined && value !== undefined
        ? [[key.value, value] as const]
        : [],
    ),
  )
}

/** The literal value, resolved through constants of the same file. */
function textOf(node: Node | undefined, constants: Constants): string | undefined {
  if (node === undefined) return undefined
  // swc adds a backslash to distinguish lone surrogates from text that looks like an escape.
  if (node.type === 'StringLiteral') return String(node['value']).replaceAll(String.raw`\\u`, String.raw`\u`)
  if (node.type === 'Identifier') return textOf(constants.get(String(node['value'])), constants)
  if (node.type !== 'TemplateLiteral') return undefined
  const { quasis, expressions } = node as unknown as { quasis: { cooked: string }[]; expressions: Node[] }
  const parts = expressions.map((one) => textOf(one, constants))
  if (parts.includes(undefined)) return undefined
  return quasis.map(({ cooked }, n) => cooked + (parts[n] ?? '')).join('')
}
