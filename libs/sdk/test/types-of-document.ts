type Schema = { [keyword: string]: unknown }
type Described = {
  operationId: string
  summary?: string
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
export type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

const JSON_TYPE = 'application/json'

/**
 * TypeScript types of the given operations, `<Operation>Query`, `<Operation>Body` and `<Operation>Answer`, and of the named
 * schemas in them. Supports the JSON Schema keywords that the document uses and throws for any other.
 */
export function typesOfDocument(document: Document, operationIds: readonly string[]): string {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const types = operationIds.flatMap((id) => {
    const operation = operations.find(({ operationId }) => operationId === id)
    if (operation === undefined) throw new Error(`The document has no operation ${id}.`)
    return typesOf(operation)
  })
  const all = [...namedTypes(types.join('\n'), document.components.schemas), ...types]
  return `// Generated from the OpenAPI document by npm run golden. Do not edit.\n\n${all.join('\n\n')}\n`
}

/** The named schemas that the text uses, and those that they use. */
function namedTypes(text: string, schemas: Record<string, Schema>): string[] {
  const used = new Map<string, string>()
  const queue = [text]
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    for (const [name, schema] of Object.entries(schemas)) {
      if (used.has(name) || !new RegExp(`\\b${name}\\b`).test(part)) continue
      used.set(name, `export type ${name} = ${typeOf(schema)}`)
      queue.push(typeOf(schema))
    }
  }
  return [...used].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type)
}

function typesOf({ operationId, summary = '', parameters = [], requestBody, responses }: Described): string[] {
  const name = operationId.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase())
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const parts: [string, Schema | undefined][] = [
    ['Query', query.length === 0 ? undefined : queryOf(query)],
    ['Body', requestBody?.content[JSON_TYPE]?.schema],
    ['Answer', (responses['200'] ?? responses['201'])?.content?.[JSON_TYPE]?.schema],
  ]
  return parts.flatMap(([part, schema]) =>
    schema === undefined ? [] : [`/** ${summary}. */\nexport type ${name}${part} = ${typeOf(schema)}`],
  )
}

function queryOf(parameters: NonNullable<Described['parameters']>): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  }
}

const PLAIN: Record<string, string> = {
  string: 'string',
  boolean: 'boolean',
  null: 'null',
  number: 'number',
  integer: 'number',
}

function typeOf(schema: Schema): string {
  const { type, enum: values, const: value, $ref } = schema
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(' | ')
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) return alternatives.map((each) => typeOf(each)).join(' | ')
  if (type === 'array') return arrayOf(schema)
  if (type === 'object') return objectOf(schema)
  if (type === undefined) return 'unknown'
  const plain = typeof type === 'string' ? PLAIN[type] : undefined
  if (plain === undefined) throw new Error(`unknown schema: ${JSON.stringify(schema)}`)
  return plain
}

function alternativesOf(schema: Schema): Schema[] | undefined {
  const { type, anyOf, oneOf } = schema
  if (Array.isArray(type)) return type.map((each: unknown) => ({ ...schema, type: each }))
  const union = anyOf ?? oneOf
  return Array.isArray(union) ? union : undefined
}

function arrayOf({ items, prefixItems, minItems, maxItems }: Schema): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((each: Schema) => typeOf(each)).join(', ')}]`
  const item = items === undefined ? 'unknown' : typeOf(items as Schema)
  return minItems === 2 && maxItems === 2 ? `[${item}, ${item}]` : `(${item})[]`
}

function objectOf({ properties = {}, required = [], additionalProperties, patternProperties }: Schema): string {
  const names = required as string[]
  const fields = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const { description } = schema
    const comment = typeof description === 'string' ? `/** ${description} */\n` : ''
    return `${comment}${JSON.stringify(name)}${names.includes(name) ? '' : '?'}: ${typeOf(schema)}`
  })
  const others = Object.values((patternProperties ?? {}) as Record<string, Schema>)
  if (typeof additionalProperties === 'object' && additionalProperties !== null)
    others.push(additionalProperties as Schema)
  if (others.length > 0) fields.push(`[name: string]: ${others.map((each) => typeOf(each)).join(' | ')}`)
  return `{\n${fields.join('\n')}\n}`
}
