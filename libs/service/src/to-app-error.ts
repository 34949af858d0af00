import type { ErrorCode } from '@tapeline/contracts/error-code'
import { AppError, type FieldError } from './app-error.ts'

type Validation = { instancePath: string; keyword: string; message?: string; params?: Record<string, unknown> }

/** Anything thrown while a request is served, as the failure that is sent. Unknown errors show nothing of themselves. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const validation = validationOf(error)
  if (validation !== undefined) {
    const errors = withoutRepeats(validation).map(fieldError)
    return new AppError('request.invalid', errors[0]?.message ?? 'The request is not valid.', { cause: error, errors })
  }
  const known = BY_STATUS.get(statusOf(error))
  if (known !== undefined) return new AppError(known.code, known.text, { cause: error })
  if (isUnwritable(error)) {
    const message = 'The request has characters that are no text: NUL, or half of a character.'
    return new AppError('request.invalid', message, { cause: error })
  }
  if (isPassing(error)) {
    return new AppError('service.unavailable', 'A part of the platform does not answer. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  return new AppError('service.failed', 'Something went wrong on our side.', { cause: error })
}

const RETRY_AFTER_SECONDS = 1
/** PostgreSQL away, shutting down, out of connections, or a lock or statement that took too long; or any server's network. */
const PASSING_CODE =
  /^(08...|53...|57...|55P03|40001|40P01|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
const PASSING_TEXT = /Connection terminated|is not queryable|timeout exceeded when trying to connect|Query read timeout/

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (PASSING_TEXT.test(error.message)) return true
  return 'code' in error && typeof error.code === 'string' && PASSING_CODE.test(error.code)
}

/** Text that PostgreSQL does not keep, also inside JSON: an invalid byte sequence, and \u0000 or a lone surrogate. */
const UNWRITABLE_CODES = new Set<unknown>(['22021', '22P05'])
/** A lone surrogate inside JSON has the code of any malformed JSON, which our own would be a mistake of ours. */
const MALFORMED_JSON = '22P02'
const SURROGATE = /surrogate/

function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (UNWRITABLE_CODES.has(error.code)) return true
  return error.code === MALFORMED_JSON && 'detail' in error && SURROGATE.test(String(error.detail))
}

/** What Fastify throws before a verb is reached. */
const BY_STATUS = new Map<number | undefined, { code: ErrorCode; text: string }>([
  [400, { code: 'request.invalid', text: 'The request cannot be read: its body is not valid JSON.' }],
  [413, { code: 'request.too_large', text: 'The request body is too large.' }],
  [415, { code: 'request.media_type_unsupported', text: 'Send the body as application/json.' }],
])

function validationOf(error: unknown): Validation[] | undefined {
  if (typeof error !== 'object' || error === null || !('validation' in error)) return undefined
  return Array.isArray(error.validation) ? error.validation : undefined
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? error.statusCode : undefined
}

/**
 * A union fails once per choice and once as a whole: said once, with the choices where they are words, and not at all
 * where a choice failed further inside: that says more.
 */
function withoutRepeats(validation: Validation[]): Validation[] {
  const groups = Map.groupBy(validation, ({ instancePath }) => instancePath)
  const isInside = (path: string) => [...groups.keys()].some((other) => other.startsWith(`${path}/`))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || !group.some(({ keyword }) => keyword === 'anyOf')) return group
    if (isInside(first.instancePath)) return []
    const choices = group.flatMap(({ keyword, params }) => (keyword === 'const' ? [String(params?.allowedValue)] : []))
    return [choices.length === 0 ? first : { ...first, keyword: 'enum', params: { allowedValues: choices } }]
  })
}

/** JSON pointer of the field (RFC 6901), a sentence that names it, and the same for programs. */
function fieldError({ instancePath, keyword, message, params }: Validation): FieldError {
  const inner = params?.missingProperty ?? params?.additionalProperty
  const field = typeof inner === 'string' ? `${instancePath}/${inner}` : instancePath || '/'
  const name = field === '/' ? 'The body' : field.slice(1)
  const problem = PROBLEMS.get(keyword)?.(params) ?? message ?? 'is not valid'
  return { field, message: `${name} ${problem}`, ...ruleOf(keyword, params) }
}

function ruleOf(rule: string, { limit, type, format, allowedValues }: Record<string, unknown> = {}) {
  const asked = Array.isArray(allowedValues) ? allowedValues.join(', ') : (limit ?? type ?? format)
  return typeof asked === 'string' || typeof asked === 'number' ? { rule, limit: asked } : { rule }
}

type Problem = (params: Validation['params']) => string | undefined

/** What the validator says in words of its own is for programmers. */
const PROBLEMS = new Map<string, Problem>([
  ['required', () => 'is required'],
  ['additionalProperties', () => 'is not a known field'],
  ['pattern', () => 'is blank or has characters that do not belong there'],
  [
    'enum',
    ({ allowedValues } = {}) =>
      Array.isArray(allowedValues) ? `must be one of ${allowedValues.join(', ')}` : undefined,
  ],
  ['type', (params) => TYPES.get(String(params?.type))],
  ['format', (params) => FORMATS.get(String(params?.format))],
  ['minimum', (params) => `must be ${String(params?.limit)} or more`],
  ['maximum', (params) => `must be ${String(params?.limit)} or less`],
  ['minLength', (params) => (params?.limit === 1 ? 'must not be empty' : `needs ${String(params?.limit)} characters`)],
  ['maxLength', (params) => `must have ${String(params?.limit)} characters at most`],
  ['minItems', (params) => (params?.limit === 1 ? 'must not be empty' : `needs ${String(params?.limit)} entries`)],
  ['maxItems', (params) => `must have ${String(params?.limit)} entries at most`],
])

const TYPES = new Map([
  ['string', 'must be a string'],
  ['integer', 'must be a whole number'],
  ['number', 'must be a number'],
  ['boolean', 'must be true or false'],
  ['object', 'must be a JSON object'],
  ['array', 'must be a list'],
])

const FORMATS = new Map([
  ['email', 'must be an email address'],
  ['uuid', 'must be a UUID'],
  ['date', 'must be a date, like 2026-03-12'],
  ['date-time', 'must be a date and time in RFC 3339, like 2026-03-12T00:00:00Z'],
])
