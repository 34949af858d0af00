import { POLICIES, type Policy } from '@tapeline/contracts/usage/events'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import type { LimitScope, LimitWindow } from '@tapeline/contracts/gateway/http'
import {
  CONCURRENCY,
  type Counts,
  countsOf,
  type Decision,
  deniedBy,
  deniedByKey,
  isCap,
  POLICIES_COUNT,
  POLICY_NAMES,
  tightest,
} from '../usage/decision.ts'

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
const KEY_DENIAL_TEXTS: Record<Policy, string> = {
  burst: 'This API key may not send so many requests in one second.',
  min: "This API key's own limit of requests per minute is used up.",
  hour: "This API key's own limit of requests per hour is used up.",
  day: "This API key's own limit of requests per day is used up.",
  month: "This API key's own limit of requests for this month is used up.",
  conc: 'Too many requests by this API key are open at the same time.',
}

/**
 * Adds `RateLimit-Policy`, `RateLimit` (draft-10) and `X-RateLimit-*` of the limit that binds first, the key's own
 * included. An answer without windows is still marked as degraded if Redis did not decide it.
 */
export function pushLimitHeaders(headers: string[], decision: Decision, policyHeader: string): void {
  if (decision.isDegraded) headers.push('x-ratelimit-policy', 'degraded')
  if (decision.used.length === 0) return
  const { key } = decision
  const binding = tightest(decision)
  const counts = countsOf(decision, binding)
  const policy = binding % POLICIES_COUNT
  const resetS = policy === CONCURRENCY ? retryAfterSeconds(decision) : seconds(number(counts.resetMs, policy))
  headers.push(
    'ratelimit-policy',
    key === undefined ? policyHeader : policyHeader + key.policyHeader,
    'ratelimit',
    key === undefined ? stateOf(decision, 0) : `${stateOf(decision, 0)}, ${stateOf(key, POLICIES_COUNT)}`,
    'x-ratelimit-limit',
    String(number(counts.limits.values, policy)),
    'x-ratelimit-remaining',
    String(leftOf(counts, policy)),
    'x-ratelimit-reset',
    String(resetS),
  )
}

/** The remaining quota of each window, and seconds until it frees capacity; concurrency has no time. */
function stateOf(counts: Counts, firstName: number): string {
  let state = ''
  for (let n = 0; n <= CONCURRENCY; n += 1) {
    if (!isCap(counts.limits.values[n])) continue
    const time = n === CONCURRENCY ? '' : `;t=${seconds(number(counts.resetMs, n))}`
    state += `${state === '' ? '' : ', '}"${POLICY_NAMES[firstName + n]}";r=${leftOf(counts, n)}${time}`
  }
  return state
}

function leftOf({ limits, used }: Counts, policy: number): number {
  return Math.max(0, number(limits.values, policy) - number(used, policy))
}

function number(list: readonly number[], at: number): number {
  return list[at] ?? 0
}

/** At least one second: a client that waits this long is not denied again for the same reason. */
export function retryAfterSeconds({ retryAfterMs }: Decision): number {
  return Math.max(1, seconds(retryAfterMs))
}

export function denialOf(decision: Decision): { code: ErrorCode; text: string; scope: LimitScope } {
  const binding = tightest(decision)
  const policy = POLICIES[binding % POLICIES_COUNT] ?? 'conc'
  const scope = binding < POLICIES_COUNT ? 'account' : 'key'
  const texts = scope === 'account' ? DENIAL_TEXTS : KEY_DENIAL_TEXTS
  return { code: DENIAL_CODES[policy], text: texts[policy], scope }
}

/** The limiter's numbers as the body of a 429 and `/api/v1/limits` show them. */
export function presentDecision(decision: Decision) {
  const { key } = decision
  return {
    degraded: decision.isDegraded,
    denied_by: deniedBy(decision.deniedMask),
    ...(key === undefined ? {} : { key_denied_by: deniedByKey(decision.deniedMask) }),
    retry_after_ms: decision.retryAfterMs,
    windows: [...presentCounts(decision, 'account'), ...(key === undefined ? [] : presentCounts(key, 'key'))],
  }
}

function presentCounts(counts: Counts, scope: LimitScope): LimitWindow[] {
  const windows: LimitWindow[] = []
  for (const [n, policy] of POLICIES.entries()) {
    const limit = number(counts.limits.values, n)
    if (counts.used.length === 0 || !isCap(limit)) continue
    const reset_ms = n === CONCURRENCY ? null : Math.max(0, number(counts.resetMs, n))
    windows.push({ scope, policy, used: number(counts.used, n), limit, remaining: leftOf(counts, n), reset_ms })
  }
  return windows
}

function seconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1_000))
}
