import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** `field` is a JSON pointer (RFC 6901), `message` a sentence about it. */
export type FieldProblem = { field: string; message: string }
type Found = ReturnType<typeof Value.Errors>[number]

const PROBLEMS_MAX = 50

/** Every way in which a value is not what the schema says, the same place once; empty when it is. */
export function fieldProblemsOf(schema: TSchema, value: unknown): FieldProblem[] {
  if (Value.Check(schema, value)) return []
  const groups = [
    ...Map.groupBy(Value.Errors(schema, value).flatMap(missingOneByOne), ({ instancePath }) => instancePath),
  ]
  return groups
    .flatMap(([path, found]) => {
      const isSaidInside = groups.some(([other]) => other.startsWith(`${path}/`))
      const sentence = sentenceOf(found, isSaidInside)
      return sentence === undefined ? [] : [{ field: path || '/', message: `${nameOf(path)} ${sentence}` }]
    })
    .slice(0, PROBLEMS_MAX)
}

/** What is missing is told at its own place. */
function missingOneByOne(found: Found): Found[] {
  if (found.keyword !== 'required') return [found]
  return found.params.requiredProperties.map((name) => ({
    ...found,
    instancePath: `${found.instancePath}/${name}`,
  }))
}

function sentenceOf(found: Found[], isSaidInside: boolean): string | undefined {
  const choices = found.flatMap((one) => (one.keyword === 'const' ? [String(one.params.allowedValue)] : []))
  if (choices.length > 0) return `must be ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`
  const types = found.flatMap((one) => (one.keyword === 'type' ? [one.params.type].flat() : []))
  if (types.length > 0) return `must be ${types.map((type) => TYPES.get(type) ?? type).join(' or ')}`
  for (const one of found) {
    const sentence = sentenceOfOne(one, isSaidInside)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

function sentenceOfOne(found: Found, isSaidInside: boolean): string | undefined {
  if (found.keyword === 'required') return 'is required'
  if (found.keyword === 'boolean') return 'is not a known field'
  if (found.keyword === 'enum') return `must be one of ${found.params.allowedValues.join(', ')}`
  const isOfTheWhole = found.keyword === 'additionalProperties' || found.keyword === 'anyOf'
  return isOfTheWhole && isSaidInside ? undefined : found.message
}

const TYPES = new Map([
  ['string', 'a string'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['object', 'a JSON object'],
  ['array', 'a list'],
])

function nameOf(path: string): string {
  if (path === '') return 'The document'
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}
