import type { AccountPlan } from './account-plan.ts'
import type { Decision, KeyCounts } from '../usage/decision.ts'
import type { KeyCaps } from './key-caps.ts'
import type { AccountCounters } from './account-counters.ts'
import type { UsageKind } from './fallback-limiter.ts'

/** `count`: decide one request. `look`: only compare the versions. `refuse`: the same, and count an authorization failure. `report`: read the windows. */
export type Purpose = 'count' | 'look' | 'refuse' | 'report'
/** Versions stored in Redis; -1: none. `mark` changes when Redis has lost the account. */
export type StaleVersions = { user: number; subscription: number; key: number; mark: number }

/** Counters missing in Redis. The ticket is void once Redis has lost the account again. */
export type Unseeded = { what: 'account'; ticket: number } | { what: 'key' }

/** A request awaiting its decision. The limiter calls exactly one of the first four callbacks. */
export type PendingDecision = {
  readonly leaseId: string
  onDecided: (decision: Decision) => void
  onStale: (versions: StaleVersions) => void
  onUnseeded: (unseeded: Unseeded) => void
  onUnavailable: () => void
  /** After `onUnavailable`: Redis counted the request, but its reply came late. */
  onLateReply: (redisMs: number, kind: UsageKind) => void
}

/** What all requests of one call have in common. */
export type LimitQuery = {
  counters: AccountCounters
  plan: AccountPlan
  kid: string
  userVersion: number
  subscriptionVersion: number
  /** undefined: a session, which has no key. */
  keyVersion: number | undefined
  /** Empty: a session. */
  keyId: string
  caps: KeyCaps | undefined
  /** Empty, or `<mark>:<bits>` of the records loaded after Redis reported, under this mark, that their version is missing. */
  loaded: string
  purpose: Purpose
}

/** Requests of one account and key, decided by one call of the script. */
export type LimiterCall = { query: LimitQuery; pending: PendingDecision[] }

export const LEASE_MS = 10_000
const PENDING_MAX = 200

export function canJoin({ query, pending }: LimiterCall, other: LimitQuery): boolean {
  return (
    query.counters === other.counters &&
    query.kid === other.kid &&
    query.purpose === other.purpose &&
    query.plan === other.plan &&
    query.loaded === other.loaded &&
    query.userVersion === other.userVersion &&
    query.subscriptionVersion === other.subscriptionVersion &&
    query.keyVersion === other.keyVersion &&
    query.caps === other.caps &&
    pending.length < PENDING_MAX
  )
}

/** Arguments of decide.lua: how many keys, then these and the rest. */
export function scriptArguments(
  { query, pending }: LimiterCall,
  testClockMs: string,
): [keys: number, ...rest: string[]] {
  const { counters, plan, kid, keyVersion, purpose, caps } = query
  const { keys } = counters
  const argv: [number, ...string[]] = [
    caps === undefined ? 4 : 6,
    keys.account,
    keys.rings,
    counters.leases.key,
    keys.usage,
  ]
  if (caps !== undefined) argv.push(caps.rings, caps.leasesKey)
  argv.push(
    kid,
    String(query.userVersion),
    String(query.subscriptionVersion),
    keyVersion === undefined ? '' : String(keyVersion),
    query.loaded,
    purpose === 'count' ? String(pending.length) : '0',
    purpose === 'refuse' ? String(pending.length) : '0',
    purpose === 'report' ? '1' : '0',
    String(LEASE_MS),
    ...plan.limits.argv,
    ...plan.monthArgv,
    testClockMs,
    query.keyId,
  )
  if (caps !== undefined) argv.push(...caps.limits.argv)
  if (purpose === 'count') for (const { leaseId } of pending) argv.push(leaseId)
  return argv
}

/** Reply of decide.lua: numbers only. */
export type Reply = readonly number[]

const DECIDED = 0
const STALE = 1
const UNSEEDED = 2
const KEY_UNSEEDED = 3
const USED_FROM = 5
const RESETS_FROM = 11
const KEY_USED_FROM = 16
const KEY_RESETS_FROM = 22
/** The month's end follows the four windows of the account; it applies to the key too. */
const MONTH_END_AT = 15
const NOTHING_LOOKED_AT: readonly number[] = []

/** Passes the reply of one call to the requests that shared it. */
export function settlePending({ query, pending }: LimiterCall, reply: Reply): void {
  if (reply[0] === UNSEEDED) for (const one of pending) one.onUnseeded({ what: 'account', ticket: number(reply, 2) })
  else if (reply[0] === KEY_UNSEEDED) for (const one of pending) one.onUnseeded({ what: 'key' })
  else if (reply[0] === STALE) settleStale(pending, reply)
  else if (query.purpose === 'look' || query.purpose === 'refuse') settleUncounted(query, pending, reply)
  else settleCounted(query, pending, reply)
}

function settleStale(pending: PendingDecision[], reply: Reply): void {
  const [user, subscription, key, mark] = [number(reply, 2), number(reply, 3), number(reply, 4), number(reply, 5)]
  const versions = { user, subscription, key, mark }
  for (const one of pending) one.onStale(versions)
}

function settleUncounted({ plan, purpose }: LimitQuery, pending: PendingDecision[], reply: Reply): void {
  const verdict = purpose === 'refuse' ? 'refused' : 'admitted'
  const [used, nowMs] = [NOTHING_LOOKED_AT, number(reply, 1)]
  const { limits } = plan
  const decision: Decision = {
    verdict,
    isDegraded: false,
    nowMs,
    deniedMask: 0,
    retryAfterMs: 0,
    used,
    resetMs: used,
    limits,
    key: undefined,
  }
  for (const one of pending) one.onDecided(decision)
}

/** The first `admitted` of them are admitted and the others denied: all arrived in the same turn and cost the same. */
function settleCounted({ plan, purpose, caps }: LimitQuery, pending: PendingDecision[], reply: Reply): void {
  const [nowMs, admitted] = [number(reply, 1), number(reply, 2)]
  const resetMs = [...reply.slice(RESETS_FROM, KEY_USED_FROM), 0]
  const { limits } = plan
  for (const [n, one] of pending.entries()) {
    const isAdmitted = n < admitted || purpose === 'report'
    const counted = n < admitted ? n + 1 : admitted
    one.onDecided({
      verdict: isAdmitted ? 'admitted' : 'denied',
      isDegraded: false,
      nowMs,
      deniedMask: isAdmitted ? 0 : number(reply, 3),
      retryAfterMs: isAdmitted ? 0 : number(reply, 4),
      used: usedAfter(reply, USED_FROM, counted),
      resetMs,
      limits,
      key: caps === undefined ? undefined : keyCounts(caps, plan, reply, counted),
    })
  }
}

/** Records the usage that a reply reports, late replies included. */
export function recordUsage({ query }: LimiterCall, reply: Reply, atMs: number): void {
  const { counters, purpose, caps } = query
  if (reply[0] !== DECIDED || (purpose !== 'count' && purpose !== 'report')) return
  const [redisMs, admitted] = [number(reply, 1), number(reply, 2)]
  const resetMs = reply.slice(RESETS_FROM, KEY_USED_FROM)
  counters.reported.record({ atMs, redisMs, used: usedAfter(reply, USED_FROM, admitted), resetMs })
  if (caps === undefined) return
  const keyResetMs = [...reply.slice(KEY_RESETS_FROM), number(reply, MONTH_END_AT)]
  caps.reported.record({ atMs, redisMs, used: usedAfter(reply, KEY_USED_FROM, admitted), resetMs: keyResetMs })
}

/** Reports to requests decided without Redis what a late reply counted for each of them. */
export function settleLateReply({ query: { purpose }, pending }: LimiterCall, reply: Reply): void {
  if (reply[0] !== DECIDED || (purpose !== 'count' && purpose !== 'refuse')) return
  const [redisMs, admitted] = [number(reply, 1), number(reply, 2)]
  for (const [n, one] of pending.entries()) {
    if (purpose === 'refuse') one.onLateReply(redisMs, 'refused')
    else one.onLateReply(redisMs, n < admitted ? 'admitted' : 'denied')
  }
}

function keyCounts(caps: KeyCaps, plan: AccountPlan, reply: Reply, counted: number): KeyCounts {
  return {
    used: usedAfter(reply, KEY_USED_FROM, counted),
    resetMs: [...reply.slice(KEY_RESETS_FROM), number(reply, MONTH_END_AT), 0],
    limits: caps.limits,
    policyHeader: caps.policyHeaderFor(plan),
  }
}

/** Requests in burst, minute, hour, day, month and open ones, after so many of these. */
function usedAfter(reply: Reply, from: number, admitted: number): number[] {
  const used = reply.slice(from, from + RESETS_FROM - USED_FROM)
  for (let n = 0; n < used.length; n += 1) used[n] = (used[n] ?? 0) + admitted
  return used
}

function number(reply: Reply, at: number): number {
  return reply[at] ?? 0
}
