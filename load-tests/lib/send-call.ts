import { check } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import { Counter, Rate } from 'k6/metrics'
import { readLimits, type ReportedLimit } from './limit-headers.ts'

/** Number of requests admitted above a limit, according to responses and request log. */
export const limiterOvershoot = new Counter('limiter_overshoot')
export const acceptedAnswers = new Counter('accepted_answers')
export const refusedAnswers = new Counter('refused_answers')
/** Decided without Redis, from a gateway's fallback share, which may exceed the limit by that share. */
export const degradedAnswers = new Counter('degraded_answers')
/** Whether clients that respected Retry-After were admitted. */
export const retryAfterHonoured = new Rate('retry_after_honoured')

const TIMEOUT = '15s'

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  url: string
  /** Name of the call in the results. */
  name: string
  token?: string
  body?: object
  tier?: string
  /** Statuses that do not count as failures. */
  expected?: number[]
  headers?: Record<string, string>
}
export type Reply = RefinedResponse<'text'>

export function sendCall({ method, url, name, token, body, tier, expected = [200], headers = {} }: Call): Reply {
  const credential = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const contentType = body === undefined ? {} : { 'content-type': 'application/json' }
  return http.request(method, url, body === undefined ? null : JSON.stringify(body), {
    headers: { ...headers, ...credential, ...contentType },
    tags: { name, tier: tier ?? 'none' },
    timeout: TIMEOUT,
    responseType: 'text',
    responseCallback: http.expectedStatuses(...expected),
  })
}

/** Limits reported in the answer to a request with a key; an admitted request must report them and not exceed one. */
export function checkLimits(reply: Reply): ReportedLimit[] {
  const limits = readLimits(reply.headers['Ratelimit-Policy'], reply.headers['Ratelimit'])
  if (reply.headers['X-Ratelimit-Policy'] === 'degraded') degradedAnswers.add(1)
  if (reply.status === 429) refusedAnswers.add(1)
  if (reply.status !== 200) return limits
  acceptedAnswers.add(1)
  check(limits, {
    'an allowed response reports the remaining quota': (reported) => reported.length > 0 && reported.every(isReported),
  })
  return limits
}

function isReported({ limit, remaining }: ReportedLimit): boolean {
  return limit >= 1 && remaining >= 0 && remaining < limit
}

/** The `data` of a dashboard call's answer. */
export function dataOf<T>(reply: Reply): T | undefined {
  return parse<{ data?: T }>(reply)?.data
}

export function parse<T>({ body }: Reply): T | undefined {
  try {
    // The checks validate its content.
    return JSON.parse(body) as T
  } catch {
    return undefined
  }
}
