import type { Schema } from './read-operations.ts'

const INDENT = '  '

/** A schema as a TypeScript type: short, and familiar to most readers. */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf, indent)
  const { type } = schema
  if (Array.isArray(type)) return type.map((one) => typeText({ ...schema, type: one }, indent)).join(' | ')
  if (type === 'object') return objectOf(schema, indent)
  if (type === 'array') return arrayOf(schema, indent)
  if (type === 'integer') return 'number'
  return type ?? 'unknown'
}

function unionOf(schemas: Schema[], indent: string): string {
  return [...new Set(schemas.map((one) => typeText(one, indent)))].join(' | ')
}

function arrayOf({ items, prefixItems, minItems, maxItems }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((one) => typeText(one, indent)).join(', ')}]`
  if (items === undefined || items === false) return 'unknown[]'
  const text = typeText(items, indent)
  const isPair = minItems === 2 && maxItems === 2
  if (isPair) return `[${text}, ${text}]`
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})[]` : `${text}[]`
}

function objectOf(
  { properties, required = [], patternProperties, additionalProperties }: Schema,
  indent: string,
): string {
  const additional = Object.values(patternProperties ?? {})[0] ?? additionalProperties
  const deeper = indent + INDENT
  const lines = Object.entries(properties ?? {}).map(([name, schema]) => {
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
    return `${deeper}${key}${required.includes(name) ? '' : '?'}: ${typeText(schema, deeper)}`
  })
  if (typeof additional === 'object') lines.push(`${deeper}[name: string]: ${typeText(additional, deeper)}`)
  return lines.length === 0 ? 'object' : `{\n${lines.join('\n')}\n${indent}}`
}
