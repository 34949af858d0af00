import { POLICIES, type Policy } from '@tapeline/contracts/usage/events'

/** Limits in the order of POLICIES (burst, min, hour, day, month, conc), as numbers and as the scripts take them. */
export type Limits = { values: readonly number[]; argv: readonly string[] }

/** The value of a limit that a key does not cap: no count reaches it. */
export const NO_CAP = Number.MAX_SAFE_INTEGER

export function isCap(limit: number | undefined): boolean {
  return limit !== undefined && limit < NO_CAP
}

/** Counts of one list of limits; numbers in the order of POLICIES. */
export type Counts = {
  /** Requests in each window, this one included when admitted; empty when the windows were not read. */
  used: readonly number[]
  /** Milliseconds until a window frees capacity; the last policy (concurrency) has none. */
  resetMs: readonly number[]
  limits: Limits
}
export type KeyCounts = Counts & { policyHeader: string }

/** The limiter's decision on one request: the account's counts, and the key's if it has its own caps. */
export type Decision = Counts & {
  verdict: 'admitted' | 'denied' | 'refused'
  isDegraded: boolean
  /** The limiter's clock: the time of the usage event. */
  nowMs: number
  /** Bit n: the policy POLICIES[n] of the account denied; bit n + 6: that of the key. */
  deniedMask: number
  retryAfterMs: number
  key: KeyCounts | undefined
  /** Absent: the tier has no shadow limits, or Redis was unavailable. */
  shadow?: ShadowVerdict | undefined
  /** Verdict of the caps proposed for the key; absent as above. */
  keyShadow?: ShadowVerdict | undefined
}
/** What shadow limits would have decided. Bit n of `deniedMask`: POLICIES[n] denied; 0: admitted, without a waiting time. */
export type ShadowVerdict = { proposal: string; deniedMask: number; retryAfterMs: number }

/** Names in headers: the account's policies, then the key's own. */
export const POLICY_NAMES: readonly string[] = [...POLICIES, ...POLICIES.map((policy) => `key-${policy}`)]
export const POLICIES_COUNT = POLICIES.length
export const CONCURRENCY = POLICIES.indexOf('conc')
export const MONTH = POLICIES.indexOf('month')

export function deniedBy(mask: number): Policy[] {
  return POLICIES.filter((_policy, n) => (mask & (1 << n)) !== 0)
}

export function deniedByKey(mask: number): Policy[] {
  return deniedBy(mask >> POLICIES_COUNT)
}

/** The counts that contain the policy with this index in POLICY_NAMES. */
export function countsOf(decision: Decision, name: number): Counts {
  return name < POLICIES_COUNT || decision.key === undefined ? decision : decision.key
}

/**
 * Index in POLICY_NAMES of the policy that binds the caller: of those that denied, the last to free capacity; otherwise the one
 * with the smallest part of its limit left, and of equals the longer window.
 */
export function tightest(decision: Decision): number {
  const { key, deniedMask } = decision
  const isDenied = decision.verdict === 'denied'
  const own = tightestOf(decision, isDenied, deniedMask)
  if (key === undefined) return own === NO_WINDOW ? CONCURRENCY : own
  const ofKey = tightestOf(key, isDenied, deniedMask >> POLICIES_COUNT)
  if (ofKey !== NO_WINDOW && (own === NO_WINDOW || isKeyTighter(decision, key, own, ofKey)))
    return ofKey + POLICIES_COUNT
  if (own !== NO_WINDOW) return own
  return (deniedMask & (1 << CONCURRENCY)) === 0 ? CONCURRENCY + POLICIES_COUNT : CONCURRENCY
}

const NO_WINDOW = -1

function isKeyTighter(decision: Decision, key: KeyCounts, own: number, ofKey: number): boolean {
  const isDenied = decision.verdict === 'denied'
  const difference = rankOf(key, isDenied, ofKey) - rankOf(decision, isDenied, own)
  return difference < 0 || (difference === 0 && ofKey > own)
}

function tightestOf(counts: Counts, isDenied: boolean, mask: number): number {
  let found = NO_WINDOW
  let best = Infinity
  for (let n = 0; n <= MONTH; n += 1) {
    if (isDenied && (mask & (1 << n)) === 0) continue
    const rank = rankOf(counts, isDenied, n)
    if (rank <= best) [found, best] = [n, rank]
  }
  return found
}

/** Lower is tighter: of denying policies the later reset, otherwise the smaller part of the limit that is left. */
function rankOf({ used, resetMs, limits }: Counts, isDenied: boolean, policy: number): number {
  if (isDenied) return -(resetMs[policy] ?? 0)
  const limit = limits.values[policy] ?? 0
  return limit === 0 ? 0 : (limit - (used[policy] ?? 0)) / limit
}
