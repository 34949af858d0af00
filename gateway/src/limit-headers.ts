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
  const { used, resetMs, limits } = decision
  if (used.length === 0) return
  let state = ''
  for (let n = 0; n < POLICIES.length; n += 1) {
    const left = Math.max(0, (limits.values[n] ?? 0) - (used[n] ?? 0))
    const reset = n === CONCURRENCY ? '' : `;t=${seconds(resetMs[n] ?? 0)}`
    state += `${n === 0 ? '' : ', '}"${POLICIES[n]}";r=${left}${reset}`
  }
  const binding = tightest(decision)
  const limit = limits.values[binding] ?? 0
  headers.push(
    'ratelimit-policy',
    policyHeader,
    'ratelimit',
    state,
    'x-ratelimit-limit',
    String(limit),
    'x-ratelimit-remaining',
    String(Math.max(0, limit - (used[binding] ?? 0))),
    'x-ratelimit-reset',
    String(binding === CONCURRENCY ? retryAfterSeconds(decision) : seconds(resetMs[binding] ?? 0)),
  )
  if (decision.isDegraded) headers.push('x-ratelimit-policy', 'degraded')
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
      limit: limits.values[n] ?? 0,
      remaining: Math.max(0, (limits.values[n] ?? 0) - count),
      reset_ms: n === CONCURRENCY ? null : Math.max(0, resetMs[n] ?? 0),
    })),
  }
}

function seconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1_000))
}
