import { type ErrorCode, errorStatuses } from '@tapeline/contracts/error-code'
import { PROBLEM_CONTENT_TYPE } from '@tapeline/contracts/problem'
import { problemOf } from '@tapeline/service/problem'

/** An error concerns one request: no cache may answer another request with it. */
export const PROBLEM_HEADERS: readonly string[] = ['content-type', PROBLEM_CONTENT_TYPE, 'cache-control', 'no-store']

/** An error answered by the gateway itself: a plain value, because denials are frequent and an Error's stack is costly. */
export type Problem = { code: ErrorCode; text: string; headers?: readonly string[]; extra?: Record<string, unknown> }

export function newProblem(code: ErrorCode, text: string, retryAfterSeconds?: number): Problem {
  if (retryAfterSeconds === undefined) return { code, text }
  return { code, text, headers: ['retry-after', String(retryAfterSeconds)] }
}

export function problemStatus({ code }: Problem): number {
  return errorStatuses[code]
}

/** The body of a problem: problem+json, in the shape that every service answers with. */
export function problemBody({ code, text, extra }: Problem, requestId: string, path: string): string {
  const status = errorStatuses[code]
  const failure = { name: 'Problem', message: text, code, status, errors: undefined, headers: {} }
  return JSON.stringify({ ...problemOf(failure, { requestId, path }), ...extra })
}

export const routeNotFound = newProblem('request.route_not_found', 'There is no such path.')
export const accountUnavailable = newProblem(
  'account.unavailable',
  'Your account cannot be looked up at the moment. Try again in a second.',
  1,
)
export const journalFull = newProblem(
  'journal.full',
  'Requests cannot be recorded at the moment. Try again shortly.',
  1,
)
export const bodyTooLarge = closing(newProblem('request.too_large', 'The request body is too large.'))

/** The answer that also closes the connection. */
export function closing(problem: Problem): Problem {
  return { ...problem, headers: ['connection', 'close'] }
}

export function tooManyRequests(retryAfterMs: number): Problem {
  const seconds = secondsOf(retryAfterMs)
  return newProblem('throttle.exceeded', `Too many requests. Try again in ${seconds} s.`, seconds)
}

/** Answers wrong credentials only: valid ones from the same address are admitted. */
export function tooManyFailures(retryAfterMs: number): Problem {
  const seconds = secondsOf(retryAfterMs)
  const text = `Too many wrong credentials came from your address, and this one is wrong too. Try again in ${seconds} s.`
  return newProblem('throttle.exceeded', text, seconds)
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}
