import { accountFields } from './descriptions/account.ts'
import { evidenceFields } from './descriptions/evidence.ts'
import { administrationFields } from './descriptions/administration.ts'
import { forecastFields } from './descriptions/forecasts.ts'
import { keyFields } from './descriptions/keys.ts'
import { marketDataFields } from './descriptions/market-data.ts'
import { everyCallFields } from './descriptions/every-call.ts'
import { usageFields } from './descriptions/usage.ts'
import { webhookFields } from './descriptions/webhooks.ts'
import { isObject, type Json } from './schemas.ts'

/**
 * What every property and parameter means, by name. `Scope.field` is that of one schema or operation, `parent.field`
 * that inside of one property; both take precedence over `field`.
 */
export const fieldGlossaries: readonly Record<string, string>[] = [
  everyCallFields,
  marketDataFields,
  keyFields,
  usageFields,
  accountFields,
  administrationFields,
  webhookFields,
  evidenceFields,
  forecastFields,
]
const glossary: ReadonlyMap<string, string> = new Map(fieldGlossaries.flatMap((each) => Object.entries(each)))

/** `used` and `missing`: entries of the glossary that apply, and fields that none describes. */
export type Described = { used: Set<string>; missing: Set<string> }

/** The schema with a description for each property. One in the contract itself takes precedence over the glossary. */
export function describeFields<Part>(part: Part, scope: string, found: Described): Part
export function describeFields(part: unknown, scope: string, found: Described): unknown {
  return walk(part, [scope], found)
}

/** The parameters of an operation with a description each. */
export function describeParameters(parameters: unknown, scope: string, found: Described): unknown {
  if (!Array.isArray(parameters)) return parameters
  return parameters.map((each: unknown) =>
    isObject(each) ? described(each, String(each['name']), [scope], found) : each,
  )
}

function walk(part: unknown, parents: readonly string[], found: Described): unknown {
  if (Array.isArray(part)) return part.map((each) => walk(each, parents, found))
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([keyword, value]) => [
      keyword,
      keyword === 'properties' && isObject(value) ? properties(value, parents, found) : walk(value, parents, found),
    ]),
  )
}

function properties(all: Json, parents: readonly string[], found: Described): Json {
  return Object.fromEntries(
    Object.entries(all).map(([name, schema]) => {
      const inside = walk(schema, [...parents, name], found)
      return [name, isObject(inside) ? described(inside, name, parents, found) : inside]
    }),
  )
}

function described(part: Json, name: string, parents: readonly string[], found: Described): Json {
  if (part['description'] !== undefined) return part
  const key = [`${parents.at(-1)}.${name}`, name].find((each) => glossary.has(each))
  if (key === undefined) {
    found.missing.add(`${parents.join('.')}.${name}`)
    return part
  }
  found.used.add(key)
  return { ...part, description: glossary.get(key) }
}
