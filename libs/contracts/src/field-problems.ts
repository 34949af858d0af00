import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { FIELD_ERRORS_MAX, fieldSentence, limitOf } from './field-sentence.ts'

/**
 * `field` is a JSON pointer (RFC 6901), `message` a sentence about it; `rule` and `limit` are the machine-readable
 * form.
 */
export type FieldProblem = { field: string; message: string; rule?: string; limit?: string | number }
type SchemaError = ReturnType<typeof Value.Errors>[number]
type Reason = { sentence: string; rule: string; limit: string | number | undefined }

/**
 * Every place where a value does not match the schema, without duplicates; empty when it matches.
 * At most `FIELD_ERRORS_MAX` problems are returned.
 */
export function fieldProblemsOf(schema: TSchema, value: unknown): FieldProblem[] {
  if (Value.Check(schema, value)) return []
  const groups = [
    ...Map.groupBy(Value.Errors(schema, value).flatMap(missingOneByOne), ({ instancePath }) => instancePath),
  ]
  return groups
    .flatMap(([path, found]) => {
      const isReportedInside = groups.some(([other]) => other.startsWith(`${path}/`))
      const reason = reasonOf(found, isReportedInside)
      return reason === undefined ? [] : [problemAt(path, reason)]
    })
    .slice(0, FIELD_ERRORS_MAX)
}

function problemAt(path: string, { sentence, rule, limit }: Reason): FieldProblem {
  const problem = { field: path || '/', message: `${nameOf(path)} ${sentence}`, rule }
  return limit === undefined ? problem : { ...problem, limit }
}

/** A missing field is reported at its own place. */
function missingOneByOne(found: SchemaError): SchemaError[] {
  if (found.keyword !== 'required') return [found]
  return found.params.requiredProperties.map((name) => ({
    ...found,
    instancePath: `${found.instancePath}/${name}`,
  }))
}

function reasonOf(found: SchemaError[], isReportedInside: boolean): Reason | undefined {
  const choices = found.flatMap((one) => (one.keyword === 'const' ? [String(one.params.allowedValue)] : []))
  if (choices.length > 0) return standard(choices.length === 1 ? 'const' : 'enum', choices.join(', '))
  const types = found.flatMap((one) => (one.keyword === 'type' ? [one.params.type].flat() : []))
  if (types.length > 1) {
    const sentence = `must be ${types.map((type) => TYPES.get(type) ?? type).join(' or ')}`
    return { sentence, rule: 'type', limit: types.join(' or ') }
  }
  const of = found.find(({ keyword }) => !(isReportedInside && OF_THE_WHOLE.has(keyword)))
  if (of === undefined) return undefined
  // A closed object reports an unknown property as a value that matches no schema.
  return standard(of.keyword === 'boolean' ? 'additionalProperties' : of.keyword, limitOf(of.params))
}

function standard(rule: string, limit: string | number | undefined): Reason {
  return { sentence: fieldSentence(rule, limit), rule, limit }
}

const OF_THE_WHOLE = new Set(['additionalProperties', 'anyOf'])

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
