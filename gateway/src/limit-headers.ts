import { POLICIES, type Policy } from '@tapeline/contracts/usage/events'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import { CONCURRENCY, type Decision, deniedBy, tightest } from './decision.ts'

const DENIAL_CODES: Record<Policy, ErrorCode> = {
  burst: 'limit.burst_exceeded',
  min: 'limit.minute_exceeded',
  hour: 'limit.hour_exceeded',
  day: 'limit.day_exceeded',
  month: 'limit.month_exceeded',
  conc: 'limit.concurrency_exceeded',
}
const DENIAL_TEXTS: Record<Policy, string> = {
  burst: 'Too many requests in one second.',
  min: 'The limit of requests per minute is used up.',
  hour: 'The limit of requests per hour is used up.',
  day: 'The limit of requests per day is used up.',
  month: 'The limit of requests for this month is used up.',
  conc: 'Too many requests are open at the same time.',
}

/** Adds `RateLimit-Policy`, `RateLimit` (draft-10) and `X-RateLimit-*` of the window that binds first. */
export function pushLimitHeaders(headers: string[], decision: Decision, policyHeader: string): void {
  if (decision.used.length === 0) return
  const binding = tightest(decision)
  const resetS = binding === CONCURRENCY ? retryAfterSeconds(decision) : seconds(number(decision.resetMs, binding))
  headers.push(
    'ratelimit-policy',
    policyHeader,
    'ratelimit',
    stateOf(decision),
    'x-ratelimit-limit',
    String(number(decision.limits.values, binding)),
    'x-ratelimit-remaining',
    String(leftOf(decision, binding)),
    'x-ratelimit-reset',
    String(resetS),
  )
  if (decision.isDegraded) headers.push('x-ratelimit-policy', 'degraded')
}

/** What is left in each window, and seconds until it gives something back; concurrency has no time. */
function stateOf(decision: Decision): string {
  let state = ''
  for (let n = 0; n < CONCURRENCY; n += 1) {
    state += `"${POLICIES[n]}";r=${leftOf(decision, n)};t=${seconds(number(decision.resetMs, n))}, `
  }
  return `${state}"conc";r=${leftOf(decision, CONCURRENCY)}`
}

function leftOf({ limits, used }: Decision, policy: number): number {
  return Math.max(0, number(limits.values, policy) - number(used, policy))
}

function number(list: readonly number[], at: number): number {
  return list[at] ?? 0
}

/** At least one: a client that waits so long is not refused again for the same reason. */
export function retryAfterSeconds({ retryAfterMs }: Decision): number {
  return Math.max(1, seconds(retryAfterMs))
}

export function denialOf(decision: Decision): { code: ErrorCode; text: string } {
  const policy = POLICIES[tightest(decision)] ?? 'conc'
  return { code: DENIAL_CODES[policy], text: DENIAL_TEXTS[policy] }
}

/** The limiter's numbers as the body of a 429 and `/api/v1/limits` show them. */
export function presentDecision(decision: Decision) {
  const { used, resetMs, limits } = decision
  return {
    degraded: decision.isDegraded,
    denied_by: deniedBy(decision.deniedMask),
    retry_after_ms: decision.retryAfterMs,
    windows: used.map((count, n) => ({
      policy: POLICIES[n],
      used: count,
      limit: number(limits.values, n),
      remaining: leftOf(decision, n),
      reset_ms: n === CONCURRENCY ? null : Math.max(0, number(resetMs, n)),
    })),
  }
}

function seconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1_000))
}
