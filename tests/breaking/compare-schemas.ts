/** A JSON Schema of the OpenAPI document. */
export type Json = { [keyword: string]: unknown }
/** `sent` by clients: the API must still accept it. `received` by clients: they must still understand it. */
export type Direction = 'sent' | 'received'

type Pair = readonly [before: Json, after: Json]
type At = { direction: Direction; where: string }

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const PATTERNS = ['pattern', 'format']

/** Compares schemas of two documents by their meaning for clients; names of schemas do not matter. */
export class SchemaComparison {
  private readonly before: Record<string, Json>
  private readonly after: Record<string, Json>
  /** Pairs under comparison: a schema that contains itself ends here. */
  private readonly open = new Set<string>()

  constructor(before: Record<string, Json>, after: Record<string, Json>) {
    this.before = before
    this.after = after
  }

  compare(direction: Direction, where: string, [before, after]: Pair): string[] {
    const key = `${direction} ${String(before['$ref'])} ${String(after['$ref'])}`
    const isNamed = before['$ref'] !== undefined && after['$ref'] !== undefined
    if (isNamed && this.open.has(key)) return []
    if (isNamed) this.open.add(key)
    const found = this.alternatives({ direction, where }, [resolve(before, this.before), resolve(after, this.after)])
    if (isNamed) this.open.delete(key)
    return found
  }

  /** What was sent must be accepted by one of the new alternatives; what is received must be one of the old ones. */
  private alternatives(at: At, [before, after]: Pair): string[] {
    const [olds, news] = [alternativesOf(before), alternativesOf(after)]
    const [tried, accepted] = at.direction === 'sent' ? [olds, news] : [news, olds]
    return tried.flatMap((one) => {
      const results = accepted.map((other) => this.plain(at, at.direction === 'sent' ? [one, other] : [other, one]))
      return results.toSorted((a, b) => a.length - b.length)[0] ?? []
    })
  }

  private plain(at: At, pair: Pair): string[] {
    const [before, after] = pair.map((one, n) => resolve(one, n === 0 ? this.before : this.after)) as [Json, Json]
    const types = typeChange(at, [before, after])
    if (types.length > 0) return types
    return [
      ...values(at, [before, after]),
      ...bounds(at, [before, after]),
      ...this.properties(at, [before, after]),
      ...this.items(at, [before, after]),
    ]
  }

  private properties({ direction, where }: At, [before, after]: Pair): string[] {
    const [was, is] = [propertiesOf(before), propertiesOf(after)]
    const [mustBefore, mustNow] = [requiredOf(before), requiredOf(after)]
    const isClosed = after['additionalProperties'] === false
    const removed = Object.keys(was).filter((name) => is[name] === undefined && (direction === 'received' || isClosed))
    const required = direction === 'sent' ? mustNow.filter((name) => !mustBefore.includes(name)) : []
    const optional = direction === 'received' ? mustBefore.filter((name) => !mustNow.includes(name)) : []
    return [
      ...removed.map((name) => `${where}: ${name} is gone`),
      ...required.map((name) => `${where}: ${name} is required now`),
      ...optional.filter((name) => !removed.includes(name)).map((name) => `${where}: ${name} can be missing now`),
      ...Object.entries(was).flatMap(([name, schema]) =>
        is[name] === undefined ? [] : this.compare(direction, `${where}.${name}`, [schema, is[name]]),
      ),
    ]
  }

  private items({ direction, where }: At, [before, after]: Pair): string[] {
    const [was, is] = [before['items'], after['items']]
    return isObject(was) && isObject(is) ? this.compare(direction, `${where}[]`, [was, is]) : []
  }
}

function resolve(schema: Json, named: Record<string, Json>): Json {
  const { $ref } = schema
  return typeof $ref === 'string' ? (named[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) : schema
}

function alternativesOf(schema: Json): Json[] {
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) return union.filter(isObject)
  const { type } = schema
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : [schema]
}

function typeChange({ where }: At, [before, after]: Pair): string[] {
  const [was, is] = [before['type'], after['type']]
  return was === is || is === undefined ? [] : [`${where}: its type was ${shown(was)} and is ${shown(is)}`]
}

/** A value that clients may send must stay; a new one that they receive is announced as possible in the documentation. */
function values({ direction, where }: At, [before, after]: Pair): string[] {
  const [was, is] = [before['enum'], after['enum']]
  if (direction === 'received' || !Array.isArray(is)) return []
  if (!Array.isArray(was)) return [`${where}: only some values are accepted now`]
  return was.filter((one) => !is.includes(one)).map((one) => `${where}: ${shown(one)} is not accepted any more`)
}

function bounds({ direction, where }: At, [before, after]: Pair): string[] {
  if (direction === 'received') return []
  const isTighter = (name: string, sign: number): boolean => {
    const [was, is] = [before[name], after[name]]
    return typeof is === 'number' && (typeof was !== 'number' || (is - was) * sign > 0)
  }
  return [
    ...LOWER_BOUNDS.filter((name) => isTighter(name, 1)),
    ...UPPER_BOUNDS.filter((name) => isTighter(name, -1)),
    ...PATTERNS.filter((name) => after[name] !== undefined && after[name] !== before[name]),
  ].map((name) => `${where}: ${name} is ${shown(after[name])} and was ${shown(before[name] ?? 'unlimited')}`)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function propertiesOf({ properties }: Json): Record<string, Json> {
  return isObject(properties) ? (properties as Record<string, Json>) : {}
}

function requiredOf({ required }: Json): string[] {
  return Array.isArray(required) ? required.map(String) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
