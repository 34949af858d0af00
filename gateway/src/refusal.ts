import { type ErrorCode, errorStatuses } from '@tapeline/contracts/error-code'
import { PROBLEM_CONTENT_TYPE } from '@tapeline/contracts/problem'
import { problemOf } from '@tapeline/service/problem'
import type { HeaderList } from './browser-policy.ts'

/** An error is about this one request: no cache may answer another with it. */
export const PROBLEM_HEADERS: HeaderList = ['content-type', PROBLEM_CONTENT_TYPE, 'cache-control', 'no-store']

/** A failure that the gateway answers itself: a plain value, because denials are frequent and an Error's stack is dear. */
export type Refusal = { code: ErrorCode; text: string; headers?: readonly string[]; extra?: Record<string, unknown> }

export function refusal(code: ErrorCode, text: string, retryAfterSeconds?: number): Refusal {
  if (retryAfterSeconds === undefined) return { code, text }
  return { code, text, headers: ['retry-after', String(retryAfterSeconds)] }
}

export function refusalStatus({ code }: Refusal): number {
  return errorStatuses[code]
}

/** The body of a refusal: problem+json as every service answers it. */
export function refusalBody({ code, text, extra }: Refusal, requestId: string, path: string): string {
  const status = errorStatuses[code]
  const failure = { name: 'Refusal', message: text, code, status, errors: undefined, headers: {} }
  return JSON.stringify({ ...problemOf(failure, { requestId, path }), ...extra })
}

export type RawAnswer = readonly [statusLine: string, code: ErrorCode, text: string]

/** A whole answer in bytes, for a connection on which no request could be read. */
export function rawProblem([statusLine, code, text]: RawAnswer, securityHeaders: HeaderList): string {
  const failure = {
    name: 'Refusal',
    message: text,
    code,
    status: Number.parseInt(statusLine, 10),
    errors: undefined,
    headers: {},
  }
  const body = JSON.stringify(problemOf(failure, { requestId: undefined, path: undefined }))
  const head = [`HTTP/1.1 ${statusLine}`, `content-length: ${Buffer.byteLength(body)}`]
  const headers = [...PROBLEM_HEADERS, ...securityHeaders]
  for (let n = 0; n + 1 < headers.length; n += 2) head.push(`${headers[n]}: ${headers[n + 1]}`)
  return `${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`
}

export const accountUnavailable = refusal(
  'account.unavailable',
  'Your account cannot be looked up at the moment. Try again in a second.',
  1,
)
export const journalFull = refusal('journal.full', 'Requests cannot be recorded at the moment. Try again shortly.', 1)
