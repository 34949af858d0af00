import { type Decision, POLICIES, type Policy } from '@tapeline/contracts/usage/events'
import { type LimitValues, NO_LIMIT } from './rolling-limits.ts'

/** Counts of one list of limits as recorded, in the order of POLICIES; this request is included when it was admitted. */
export type RecordedCounts = { used: readonly number[]; limits: LimitValues; mask: number }

/** A counted request as the limiter decided it. */
export type RecordedRequest = {
  requestId: string
  timeMs: number
  keyId: string
  tier: string
  /** Until the answer was complete: the time for which it was one of the concurrent requests. */
  openMs: number
  isAdmitted: boolean
  isDegraded: boolean
  retryAfterMs: number
  monthEndMs: number
  account: RecordedCounts
  /** Counts of a key with its own limits. */
  key: RecordedCounts | undefined
}

const MONTH = POLICIES.indexOf('month')
const MICROSECONDS = 1_000

export type UsageRow = {
  request_id: string
  time_ms: string | number
  key_id: string
  tier: string
  latency_us: string | number
  decision: Decision
}

/** Undefined: refused for another reason than a limit, so no limit was consumed. */
export function recordedRequest(row: UsageRow): RecordedRequest | undefined {
  const { verdict, degraded, denied_by, retry_after_ms, windows, key_denied_by, key_windows } = row.decision
  if (verdict === 'refused' || windows.length === 0) return undefined
  const timeMs = Number(row.time_ms)
  const month = windows.find(({ policy }) => policy === 'month')
  return {
    requestId: row.request_id,
    timeMs,
    keyId: row.key_id,
    tier: row.tier,
    openMs: Number(row.latency_us) / MICROSECONDS,
    isAdmitted: verdict === 'admitted',
    isDegraded: degraded,
    retryAfterMs: retry_after_ms,
    monthEndMs: timeMs + (month?.reset_ms ?? 0),
    account: countsOf(windows, denied_by),
    key: key_windows === undefined ? undefined : countsOf(key_windows, key_denied_by ?? []),
  }
}

function countsOf(windows: Decision['windows'], deniedBy: readonly Policy[]): RecordedCounts {
  const used = POLICIES.map(() => 0)
  const limits: number[] = POLICIES.map(() => NO_LIMIT)
  for (const window of windows) {
    const n = POLICIES.indexOf(window.policy)
    used[n] = window.used
    limits[n] = window.limit
  }
  return { used, limits, mask: deniedBy.reduce((mask, policy) => mask | (1 << POLICIES.indexOf(policy)), 0) }
}

/**
 * The order in which the limiter decided: by its clock, and within a millisecond by the month's count, which every admitted
 * request raises. Requests denied at a count come after the request that reached it.
 */
export function inDecisionOrder(a: RecordedRequest, b: RecordedRequest): number {
  return (
    a.timeMs - b.timeMs ||
    (a.account.used[MONTH] ?? 0) - (b.account.used[MONTH] ?? 0) ||
    Number(b.isAdmitted) - Number(a.isAdmitted)
  )
}
