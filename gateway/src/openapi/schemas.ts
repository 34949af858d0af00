/** A JSON Schema, or any part of the document. */
export type Json = { [keyword: string]: unknown }

const INT32_LIMIT = 2 ** 31

/**
 * The same schema in the keywords that generators of clients understand: one `enum` for a union of literals, a list with
 * a fixed length for a tuple of equal parts, one text for texts of several formats, `prefixItems` (JSON Schema 2020-12) for other tuples, and a type for each
 * `enum`, none for a boolean. Integers without smaller bounds are of 64 bits: milliseconds and counters exceed 32.
 */
export function normalised<Part>(part: Part): Part
export function normalised(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => normalised(each))
  if (!isObject(part)) return part
  const schema: Json = Object.fromEntries(Object.entries(part).map(([keyword, value]) => [keyword, normalised(value)]))
  const { anyOf, items } = schema
  if (Array.isArray(anyOf)) return union(schema, anyOf)
  return Array.isArray(items) ? tuple(schema, items) : single(schema)
}

function fits32Bits({ minimum, maximum }: Json): boolean {
  const [least, most] = [Number(minimum ?? -Infinity), Number(maximum ?? Infinity)]
  return least >= -INT32_LIMIT && most < INT32_LIMIT
}

function single(schema: Json): Json {
  const { enum: values, const: constant, type, format } = schema
  // Generators of Java write the one value of such an enum as text.
  if (type === 'boolean') return withoutValue(schema)
  if (type === 'integer' && format === undefined && !fits32Bits(schema)) return { ...schema, format: 'int64' }
  if (Array.isArray(values) && type === undefined) return { ...typeOfAll(values), ...schema }
  return typeof constant === 'string' ? enumOfOne(schema, constant) : schema
}

function union(schema: Json, parts: unknown[]): Json {
  return mergedFormats(schema, parts) ?? mergedEnum(schema, parts) ?? schema
}

function enumOfOne(schema: Json, constant: string): Json {
  const { const: _constant, ...rest } = schema
  return { ...rest, type: 'string', enum: [constant] }
}

/** The schema with each part that has a name replaced by `$ref`; the named ones are added to `components`. */
export function referring<Part>(part: Part, names: ReadonlyMap<string, string>, components: Map<string, unknown>): Part
export function referring(
  part: unknown,
  names: ReadonlyMap<string, string>,
  components: Map<string, unknown>,
): unknown {
  if (Array.isArray(part)) return part.map((each) => referring(each, names, components))
  if (!isObject(part)) return part
  const inside = () =>
    Object.fromEntries(Object.entries(part).map(([keyword, value]) => [keyword, referring(value, names, components)]))
  const name = part['type'] === 'object' ? names.get(canonical(part)) : undefined
  if (name === undefined) return inside()
  if (!components.has(name)) {
    components.set(name, undefined)
    components.set(name, inside())
  }
  return { $ref: `#/components/schemas/${name}` }
}

/** Equal for equal JSON, regardless of the order of fields. */
export function canonical(part: unknown): string {
  return JSON.stringify(part, (_key, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}

function mergedEnum(schema: Json, parts: unknown[]): Json | undefined {
  const literals = parts.filter(isObject).filter(isLiteral)
  const values = literals.flatMap((part) => part['enum'])
  if (literals.length < 2 || new Set(literals.map(({ type }) => type)).size > 1) return undefined
  const { anyOf: _anyOf, ...rest } = schema
  const merged = { type: literals[0]?.['type'], enum: values }
  const others = parts.filter((part) => !isObject(part) || !isLiteral(part))
  return others.length === 0 ? { ...rest, ...merged } : { ...rest, anyOf: [merged, ...others] }
}

/** Texts that differ in their format only: generators of Java need a class for each alternative. */
function mergedFormats(schema: Json, parts: unknown[]): Json | undefined {
  const isFormatted = (part: unknown): boolean =>
    isObject(part) && part['type'] === 'string' && part['format'] !== undefined && Object.keys(part).length === 2
  if (parts.filter(isFormatted).length < 2) return undefined
  const { anyOf: _anyOf, ...rest } = schema
  const others = parts.filter((part) => !isFormatted(part))
  const text = { type: 'string' }
  return others.length === 0 ? { ...rest, ...text } : { ...rest, anyOf: [text, ...others] }
}

function isLiteral(part: Json): boolean {
  return Object.keys(part).length === 2 && Array.isArray(part['enum']) && part['type'] !== undefined
}

function tuple({ items: _items, additionalItems: _rest, ...schema }: Json, parts: unknown[]): Json {
  const length = { minItems: parts.length, maxItems: parts.length }
  const isUniform = new Set(parts.map((each) => canonical(each))).size === 1
  return isUniform
    ? { ...schema, ...length, items: parts[0] }
    : { ...schema, ...length, prefixItems: parts, items: false }
}

function withoutValue({ enum: _enum, const: _const, ...schema }: Json): Json {
  return schema
}

function typeOfAll(values: unknown[]): Json {
  return values.every((value) => typeof value === 'string') ? { type: 'string' } : {}
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
