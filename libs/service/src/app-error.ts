import { type ErrorCode, errorStatuses } from '@tapeline/contracts/error-code'
import type { Problem } from '@tapeline/contracts/problem'

export type FieldError = NonNullable<Problem['errors']>[number]
export type AppErrorOptions = {
  /** Internal cause; logged, never sent. */
  cause?: unknown
  errors?: FieldError[]
  /** Sent as `Retry-After`, in whole seconds. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
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
  }
}
