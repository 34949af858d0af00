import { POLICIES, type Policy } from '@tapeline/contracts/usage/events'
import type { Limits } from './account-plan.ts'

/** What the limiter said about one request; numbers in the order of POLICIES. */
export type Decision = {
  verdict: 'admitted' | 'denied' | 'refused'
  isDegraded: boolean
  /** The limiter's clock: the time of the usage event. */
  nowMs: number
  /** Bit n: the policy POLICIES[n] denied. */
  deniedMask: number
  retryAfterMs: number
  /** Requests in each window, this one included when admitted; empty when nothing was looked at. */
  used: readonly number[]
  /** Until a window gives something back; the last policy (concurrency) has none. */
  resetMs: readonly number[]
  limits: Limits
}

export const CONCURRENCY = POLICIES.indexOf('conc')
const MONTH = POLICIES.indexOf('month')

export function deniedBy(mask: number): Policy[] {
  return POLICIES.filter((_policy, n) => (mask & (1 << n)) !== 0)
}

/** Index of the policy that the caller has to wait for: of those that denied the longest, else the one with least left. */
export function tightest({ verdict, deniedMask, used, resetMs, limits }: Decision): number {
  let found = -1
  let best = Infinity
  for (let n = 0; n <= MONTH; n += 1) {
    const left = (limits.values[n] ?? 0) - (used[n] ?? 0)
    if (verdict === 'denied') {
      const wait = -(resetMs[n] ?? 0)
      if ((deniedMask & (1 << n)) !== 0 && wait < best) [found, best] = [n, wait]
    } else if (left < best) [found, best] = [n, left]
  }
  return found === -1 ? CONCURRENCY : found
}
