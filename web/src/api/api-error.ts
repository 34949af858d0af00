import { t } from '@lingui/core/macro'
import type { Problem } from '@tapeline/contracts/problem'
import { fieldWords, problemWords } from './problem-words.ts'

export type FieldError = Pick<NonNullable<Problem['errors']>[number], 'field' | 'message'>

export type ApiFailure = {
  /** 0 if there was no answer. */
  status: number
  code: string
  message: string
  requestId?: string | undefined
  errors?: FieldError[]
  retryAfterS?: number | undefined
}

/** Any call that did not succeed, in the one shape that pages read. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly errors: readonly FieldError[]
  readonly retryAfterS: number | undefined

  constructor(failure: ApiFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId
    this.errors = failure.errors ?? []
    this.retryAfterS = failure.retryAfterS
  }

  /** The message for a field of the body, by its name: pointers read "/email". */
  messageFor(field: string): string | undefined {
    return this.errors.find((error) => error.field === field || error.field === `/${field}`)?.message
  }
}

type Answered = { status: number; statusText: string; headers: Headers }

/** First error detail's message, else the message, else the status text. */
export function failureOf(response: Answered, body: unknown): ApiError {
  const problem: Partial<Problem> = isRecord(body) ? body : {}
  const code = textOf(problem.code)
  const words = problemWords(code)
  const message = textOf(problem.message)
  // The general message is repeated at its field.
  const errors = fieldErrorsOf(problem.errors).map((error) =>
    words !== undefined && error.message === message ? { ...error, message: words } : error,
  )
  const text = words ?? errors[0]?.message ?? message
  const requestId = textOf(problem.request_id) ?? response.headers.get('x-request-id') ?? undefined
  return new ApiError({
    status: response.status,
    code: code ?? 'response.unexpected',
    message: text ?? (response.statusText || t`Status ${response.status}`),
    requestId,
    errors,
    retryAfterS: secondsOf(response.headers.get('retry-after')),
  })
}

/** The reason for a missing answer, as shown to the user. */
export function unansweredBy(cause: unknown, timeoutMs: number): ApiError {
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError'
  return isTimeout
    ? new ApiError(
        {
          status: 0,
          code: 'network.timed_out',
          message: t`No response within ${timeoutMs / 1_000} s. Please try again.`,
        },
        { cause },
      )
    : new ApiError(
        { status: 0, code: 'network.unreachable', message: t`The API cannot be reached. Please try again.` },
        { cause },
      )
}

function fieldErrorsOf(errors: unknown): FieldError[] {
  if (!Array.isArray(errors)) return []
  return errors.flatMap((error: unknown) => {
    if (!isRecord(error)) return []
    const field = textOf(error['field']) ?? ''
    const message =
      fieldWords({ field, rule: textOf(error['rule']), limit: limitOf(error['limit']) }) ?? textOf(error['message'])
    return message === undefined ? [] : [{ field, message }]
  })
}

function secondsOf(header: string | null): number | undefined {
  if (header === null || !/^\d+$/.test(header)) return undefined
  return Number(header)
}

function limitOf(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : textOf(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
