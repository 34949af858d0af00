import { type ErrorCode, errorStatuses } from '@tapeline/contracts/error-code'
import type { Problem } from '@tapeline/contracts/problem'

export type FieldError = NonNullable<Problem['errors']>[number]

/**
 * Response header of a 503 that does not affect the other calls of a service: gateways do not open their circuit breaker
 * for it, and do not forward the header.
 */
export const PARTIAL_OUTAGE_HEADER = 'x-internal-partial-outage'

export type AppErrorOptions = {
  /** Internal cause; logged, never sent. */
  cause?: unknown
  errors?: FieldError[]
  /** Sent as `Retry-After`, in whole seconds. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
  /** For a 503 caused by another service, a provider or a full part of this one: its other calls work. */
  isPartial?: true
}

/** A failure with a stable code and a message for the caller; the error handler maps it to an HTTP response. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, publicText: string, options: AppErrorOptions = {}) {
    super(publicText, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = errorStatuses[code]
    this.errors = options.errors
    this.headers = { ...options.headers }
    if (options.retryAfterSeconds !== undefined) this.headers['retry-after'] = String(options.retryAfterSeconds)
    if (options.isPartial === true) this.headers[PARTIAL_OUTAGE_HEADER] = 'true'
  }
}
