import type { ErrorCode } from '@tapeline/contracts/error-code'
import { FIELD_ERRORS_MAX, fieldSentence, limitOf } from '@tapeline/contracts/field-sentence'
import { AppError, type FieldError } from './app-error.ts'

type Validation = { instancePath: string; keyword: string; params?: Record<string, unknown> }

/** Maps anything thrown during a request to the failure that is sent. Unknown errors reveal no details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const validation = validationOf(error)
  if (validation !== undefined) {
    const errors = fieldErrorsOf(validation)
    return new AppError('request.invalid', errors[0]?.message ?? 'The request is not valid.', { cause: error, errors })
  }
  const mapped = BY_STATUS.get(statusOf(error))
  if (mapped !== undefined) return new AppError(mapped.code, mapped.text, { cause: error })
  if (isUnwritable(error)) {
    const message = 'The request contains characters that are not valid text: NUL, or half of a character.'
    return new AppError('request.invalid', message, { cause: error })
  }
  if (isTemporary(error)) {
    return new AppError('service.unavailable', 'A service did not respond. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  return new AppError('service.failed', 'An internal error occurred.', { cause: error })
}

const RETRY_AFTER_SECONDS = 1
/**
 * Temporary errors: PostgreSQL unavailable, shutting down, replaced by its standby (25006), out of connections, lock or
 * statement timeouts; network errors.
 */
const PASSING_CODE =
  /^(08...|53...|57...|55P03|40001|40P01|25P03|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
const PASSING_TEXT = /Connection terminated|is not queryable|timeout exceeded when trying to connect|Query read timeout/

function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (PASSING_TEXT.test(error.message)) return true
  return 'code' in error && typeof error.code === 'string' && PASSING_CODE.test(error.code)
}

/** Text that PostgreSQL cannot store, also inside JSON: an invalid byte sequence, and \u0000 or a lone surrogate. */
const UNWRITABLE_CODES = new Set<unknown>(['22021', '22P05'])
/** A lone surrogate in JSON has the code of malformed JSON, which would be a bug of the service. */
const MALFORMED_JSON = '22P02'
const SURROGATE = /surrogate/

function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if (UNWRITABLE_CODES.has(error.code)) return true
  return error.code === MALFORMED_JSON && 'detail' in error && SURROGATE.test(String(error.detail))
}

/** Errors that Fastify throws before the handler. */
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

/** At most one error per field, in the validator's order. */
function fieldErrorsOf(validation: Validation[]): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const error of summarizeUnions(validation).map(fieldError)) {
    if (!byField.has(error.field)) byField.set(error.field, error)
  }
  return [...byField.values()].slice(0, FIELD_ERRORS_MAX)
}

/** A union reports every branch and then itself; the caller needs the most specific reason once. */
function summarizeUnions(validation: Validation[]): Validation[] {
  const groups = Map.groupBy(validation, ({ instancePath }) => instancePath)
  const isInside = (path: string) => [...groups.keys()].some((other) => other.startsWith(`${path}/`))
  return [...groups].flatMap(([path, group]) => {
    if (!group.some(({ keyword }) => UNIONS.has(keyword))) return group
    const ofFields = group.filter(({ keyword }) => keyword === 'required' || keyword === 'additionalProperties')
    if (ofFields.length > 0 || isInside(path)) return ofFields
    return summary(group)
  })
}

const UNIONS = new Set(['anyOf', 'oneOf'])

/** The choices of a union of constants or of formats, otherwise its first branch. */
function summary(group: Validation[]): Validation[] {
  const [first] = group
  if (first === undefined) return []
  const choices = group.flatMap(({ keyword, params }) => (keyword === 'const' ? [String(params?.allowedValue)] : []))
  if (choices.length > 0) return [{ ...first, keyword: 'enum', params: { allowedValues: choices } }]
  const formats = group.flatMap(({ keyword, params }) => (keyword === 'format' ? [String(params?.format)] : []))
  if (formats.length > 0) return [{ ...first, keyword: 'format', params: { format: formats.toSorted().join(' or ') } }]
  return [first]
}

/** JSON pointer of the field (RFC 6901), a sentence that names it, and the machine-readable rule. */
function fieldError({ instancePath, keyword, params = {} }: Validation): FieldError {
  const inner = params.missingProperty ?? params.additionalProperty
  const field = typeof inner === 'string' ? `${instancePath}/${inner}` : instancePath || '/'
  const name = field === '/' ? 'The body' : field.slice(1)
  const limit = limitOf(params)
  const message = `${name} ${fieldSentence(keyword, limit)}`
  return { field, message, rule: keyword, ...(limit === undefined ? {} : { limit }) }
}
