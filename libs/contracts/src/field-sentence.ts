type Params = Readonly<Record<string, unknown>>
type Sentence = (limit: string | number | undefined) => string

/** Maximum number of fields reported in one response. */
export const FIELD_ERRORS_MAX = 50

/** The keyword's argument: 80 of `maxLength: 80`, the choices of an `enum`. */
export function limitOf({ limit, type, format, allowedValues, allowedValue, multipleOf }: Params): Limit {
  const value = Array.isArray(allowedValues)
    ? allowedValues.join(', ')
    : (limit ?? type ?? format ?? allowedValue ?? multipleOf)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

type Limit = string | number | undefined

/** The violated rule as the end of a sentence that starts with the field's name. Validator messages are never shown. */
export function fieldSentence(rule: string, limit: Limit): string {
  return SENTENCES.get(rule)?.(limit) ?? 'is not valid'
}

/** True when `rule` is a known schema keyword, whose limit comes from the schema and not from the client. */
export function isFieldRule(rule: string): boolean {
  return SENTENCES.has(rule)
}

const counted = (limit: Limit, singular: string): string =>
  Number(limit) === 1 ? `1 ${singular}` : `${limit} ${singular === 'entry' ? 'entries' : `${singular}s`}`
const notEmptyOr = (unit: string): Sentence => {
  return (limit) => (Number(limit) === 1 ? 'must not be empty' : `must have at least ${counted(limit, unit)}`)
}
const atMost = (unit: string): Sentence => {
  return (limit) => `must have at most ${counted(limit, unit)}`
}

const SENTENCES = new Map<string, Sentence>([
  ['required', () => 'is required'],
  ['additionalProperties', () => 'is not a known field'],
  ['pattern', () => 'is blank or contains characters that are not allowed'],
  ['enum', (limit) => `must be one of ${limit}`],
  ['const', (limit) => `must be ${limit}`],
  ['type', (limit) => TYPES.get(String(limit)) ?? 'has the wrong type'],
  ['format', (limit) => FORMATS.get(String(limit)) ?? 'has the wrong format'],
  ['minimum', (limit) => `must be ${limit} or more`],
  ['maximum', (limit) => `must be ${limit} or less`],
  ['exclusiveMinimum', (limit) => `must be more than ${limit}`],
  ['exclusiveMaximum', (limit) => `must be less than ${limit}`],
  ['multipleOf', (limit) => `must be a multiple of ${limit}`],
  ['minLength', notEmptyOr('character')],
  ['maxLength', atMost('character')],
  ['minItems', notEmptyOr('entry')],
  ['maxItems', atMost('entry')],
  ['minProperties', (limit) => `must have at least ${counted(limit, 'field')}`],
  ['maxProperties', atMost('field')],
  ['uniqueItems', () => 'must not contain the same entry twice'],
  ['laterThan', (limit) => `must be later than ${limit}`],
  ['timestamp', () => `must be ${TIMESTAMP}`],
  ['notInFuture', () => 'must not be in the future'],
  ['wholeHour', (limit) => `must be a whole hour when it is older than ${limit} days`],
  ['knownInstrument', () => 'must select a known instrument'],
  ['maxInstruments', (limit) => `must select at most ${limit} instruments`],
])

const TYPES = new Map([
  ['string', 'must be a string'],
  ['integer', 'must be a whole number'],
  ['number', 'must be a number'],
  ['boolean', 'must be true or false'],
  ['object', 'must be a JSON object'],
  ['array', 'must be a list'],
  ['null', 'must be null'],
])

const TIMESTAMP = 'RFC 3339 (2024-08-08T23:54:14Z), a date, or nanoseconds since 1970, up to 2262'
const DATE = 'a date, like 2026-03-12'
const DATE_TIME = 'a date and time in RFC 3339, like 2026-03-12T00:00:00Z'
const FORMATS = new Map([
  ['email', 'must be an email address'],
  ['uuid', 'must be a UUID'],
  ['date', `must be ${DATE}`],
  ['date-time', `must be ${DATE_TIME}`],
  ['date or date-time', `must be ${DATE}, or ${DATE_TIME}`],
])
