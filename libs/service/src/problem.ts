import { STATUS_CODES } from 'node:http'
import type { Problem } from '@tapeline/contracts/problem'
import type { AppError } from './app-error.ts'

export type ProblemContext = { requestId: string | undefined; path: string | undefined }

/** RFC 9457 body of a failure. `type` is a documentation path with one page per code. */
export function problemOf(error: AppError, { requestId, path }: ProblemContext): Problem {
  return {
    type: `/docs/errors/${error.code}`,
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    ...(path === undefined ? {} : { instance: path }),
    code: error.code,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
    success: false,
    message: error.message,
  }
}
