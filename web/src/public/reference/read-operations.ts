import type { ErrorCode } from '@tapeline/contracts/error-code'

/** The subset of JSON Schema used by the contracts. */
export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | false
  prefixItems?: Schema[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: unknown
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  minItems?: number
  $ref?: string
}
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
type Content = { content?: Record<string, { schema?: Schema }> }
type Described = {
  operationId: string
  summary: string
  tags: [string]
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
  'x-access': string
  'x-counted': string
  'x-scope'?: string
  'x-errors': ErrorCode[]
}
export type Operation = {
  id: string
  /** Summary in English; the pages have their own texts. */
  summary: string
  group: string
  method: string
  path: string
  /** Permitted callers, as declared by the service. */
  access: string
  needs: 'nothing' | 'key or session' | 'session'
  isAlwaysCounted: boolean
  scope: string | undefined
  parameters: Parameter[]
  body: Schema | undefined
  answer: { status: number; schema: Schema | undefined }
  errors: ErrorCode[]
}

type OpenApiDocument = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** The OpenAPI document, from the gateway's golden file. */
const files = import.meta.glob<string>('../../../../gateway/golden/openapi.json', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const text = Object.values(files)[0] ?? '{}'
const document: OpenApiDocument = JSON.parse(text)

/** Every call, in the order of the gateway's OpenAPI document. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
)

/** The whole document as it is served. */
export const openApiText = text

export function operationsThatFailWith(code: ErrorCode): Operation[] {
  return operations.filter(({ errors }) => errors.includes(code))
}

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId, summary, tags, security, parameters = [], requestBody, responses } = described
  const [status = '200', answer] = Object.entries(responses).find(([key]) => key.startsWith('2')) ?? []
  return {
    id: operationId,
    summary,
    group: tags[0],
    method: method.toUpperCase(),
    path,
    access: described['x-access'],
    needs: needsOf(security),
    isAlwaysCounted: described['x-counted'] === 'always',
    scope: described['x-scope'],
    parameters,
    body: withoutNull(schemaIn(requestBody)),
    answer: { status: Number(status), schema: schemaIn(answer) },
    errors: described['x-errors'],
  }
}

function needsOf(security: Record<string, unknown>[]): Operation['needs'] {
  if (security.length === 0 || security.some((one) => Object.keys(one).length === 0)) return 'nothing'
  return security.some((one) => 'apiKey' in one) ? 'key or session' : 'session'
}

/** An optional body is described as a union with null. */
function withoutNull(schema: Schema | undefined): Schema | undefined {
  return schema?.anyOf?.find(({ type }) => type === 'object') ?? schema
}

function schemaIn(described: Content | undefined): Schema | undefined {
  const schema = described?.content?.['application/json']?.schema
  return schema && whole(schema)
}

/** The schema with every `$ref` replaced by what it names: the reference shows answers in one piece. */
function whole<Part>(part: Part): Part
function whole(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => whole(each))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part && typeof part.$ref === 'string') {
    return whole(document.components.schemas[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)])
  }
  return Object.fromEntries(Object.entries(part).map(([keyword, value]) => [keyword, whole(value)]))
}
