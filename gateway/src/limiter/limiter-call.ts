import type { AccountPlan, ShadowPlan } from './account-plan.ts'
import type { Decision, KeyCounts, ShadowVerdict } from '../usage/decision.ts'
import type { KeyCaps, KeyShadow } from './key-caps.ts'
import type { AccountCounters } from './account-counters.ts'
import type { UsageKind } from './fallback-limiter.ts'
import { kindOf, type LimiterReply, replyFields, resetsOf, shadowDenial, usedAfter } from './limiter-reply.ts'

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

/** The part of a query that is the same for all requests of one call. */
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
  /** Caps proposed for the key. */
  keyShadow: KeyShadow | undefined
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
    isSameKey(query, other) &&
    query.purpose === other.purpose &&
    query.plan === other.plan &&
    query.loaded === other.loaded &&
    query.userVersion === other.userVersion &&
    query.subscriptionVersion === other.subscriptionVersion &&
    pending.length < PENDING_MAX
  )
}

function isSameKey(query: LimitQuery, other: LimitQuery): boolean {
  return (
    query.kid === other.kid &&
    query.keyVersion === other.keyVersion &&
    query.caps === other.caps &&
    query.keyShadow === other.keyShadow
  )
}

/** Arguments of decide.lua, in the order in which it names them: how many keys, the keys, the rest. */
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
    reportMode(query),
    String(LEASE_MS),
    ...plan.limits.argv,
    ...plan.monthArgv,
    testClockMs,
    query.keyId,
  )
  if (caps !== undefined) argv.push(...caps.limits.argv)
  if (purpose === 'count') pushCounted(argv, query, pending)
  return argv
}

/** Only counted requests are decided by shadow limits and have leases. */
function pushCounted(argv: (number | string)[], { plan, keyShadow }: LimitQuery, pending: PendingDecision[]): void {
  if (plan.shadow !== undefined) argv.push(plan.shadow.argument)
  if (keyShadow !== undefined) argv.push(keyShadow.argument)
  for (const { leaseId } of pending) argv.push(leaseId)
}

function shadowOf({ purpose, plan }: LimitQuery): ShadowPlan | undefined {
  return purpose === 'count' ? plan.shadow : undefined
}

function keyShadowOf({ purpose, keyShadow }: LimitQuery): KeyShadow | undefined {
  return purpose === 'count' ? keyShadow : undefined
}

function reportMode(query: LimitQuery): string {
  if (query.purpose === 'report') return '1'
  const hasShadow = shadowOf(query) !== undefined
  if (keyShadowOf(query) === undefined) return hasShadow ? '2' : '0'
  return hasShadow ? '4' : '3'
}

const NOTHING_COUNTED: readonly number[] = []

/** Passes the reply of one call to the requests that shared it. */
export function settlePending({ query, pending }: LimiterCall, reply: LimiterReply): void {
  const kind = kindOf(reply)
  if (kind === 'account unseeded')
    for (const one of pending) one.onUnseeded({ what: 'account', ticket: replyFields.ticket(reply) })
  else if (kind === 'key unseeded') for (const one of pending) one.onUnseeded({ what: 'key' })
  else if (kind === 'stale') settleStale(pending, reply)
  else if (query.purpose === 'look' || query.purpose === 'refuse') settleUncounted(query, pending, reply)
  else settleCounted(query, pending, reply)
}

function settleStale(pending: PendingDecision[], reply: LimiterReply): void {
  const versions = replyFields.versions(reply)
  for (const one of pending) one.onStale(versions)
}

function settleUncounted({ plan, purpose }: LimitQuery, pending: PendingDecision[], reply: LimiterReply): void {
  const verdict = purpose === 'refuse' ? 'refused' : 'admitted'
  const { limits } = plan
  const decision: Decision = {
    verdict,
    isDegraded: false,
    nowMs: replyFields.redisMs(reply),
    deniedMask: 0,
    retryAfterMs: 0,
    used: NOTHING_COUNTED,
    resetMs: NOTHING_COUNTED,
    limits,
    key: undefined,
  }
  for (const one of pending) one.onDecided(decision)
}

/** The first `admitted` of them are admitted and the others denied: all arrived in the same turn and cost the same. */
function settleCounted(query: LimitQuery, pending: PendingDecision[], reply: LimiterReply): void {
  const { plan, purpose, caps } = query
  const [nowMs, admitted] = [replyFields.redisMs(reply), replyFields.admitted(reply)]
  const resetMs = [...resetsOf(reply, 'account'), 0]
  const { limits } = plan
  const shadow = shadowVerdicts(query, reply, 'account')
  const keyShadow = shadowVerdicts(query, reply, 'key')
  for (const [n, one] of pending.entries()) {
    const isAdmitted = n < admitted || purpose === 'report'
    const counted = n < admitted ? n + 1 : admitted
    one.onDecided({
      verdict: isAdmitted ? 'admitted' : 'denied',
      isDegraded: false,
      nowMs,
      deniedMask: isAdmitted ? 0 : replyFields.deniedMask(reply),
      retryAfterMs: isAdmitted ? 0 : replyFields.retryAfterMs(reply),
      used: usedAfter(reply, 'account', counted),
      resetMs,
      limits,
      key: caps === undefined ? undefined : keyCounts(caps, plan, reply, counted),
      shadow: shadow?.(n),
      keyShadow: keyShadow?.(n),
    })
  }
}

/** Records the usage that a reply reports, late replies included. */
export function recordUsage({ query }: LimiterCall, reply: LimiterReply, atMs: number): void {
  const { counters, purpose, caps } = query
  if (kindOf(reply) !== 'decided' || (purpose !== 'count' && purpose !== 'report')) return
  const [redisMs, admitted] = [replyFields.redisMs(reply), replyFields.admitted(reply)]
  const account = { used: usedAfter(reply, 'account', admitted), resetMs: resetsOf(reply, 'account') }
  counters.reported.record({ atMs, redisMs, ...account })
  if (caps === undefined) return
  caps.reported.record({ atMs, redisMs, used: usedAfter(reply, 'key', admitted), resetMs: resetsOf(reply, 'key') })
}

/** Reports to requests decided without Redis what a late reply counted for each of them. */
export function settleLateReply({ query: { purpose }, pending }: LimiterCall, reply: LimiterReply): void {
  if (kindOf(reply) !== 'decided' || (purpose !== 'count' && purpose !== 'refuse')) return
  const [redisMs, admitted] = [replyFields.redisMs(reply), replyFields.admitted(reply)]
  for (const [n, one] of pending.entries()) {
    if (purpose === 'refuse') one.onLateReply(redisMs, 'refused')
    else one.onLateReply(redisMs, n < admitted ? 'admitted' : 'denied')
  }
}

/** Verdicts of the requests that shared a call: those after the first `admitted` were denied by the shadow limits. */
function shadowVerdicts(
  query: LimitQuery,
  reply: LimiterReply,
  owner: 'account' | 'key',
): ((n: number) => ShadowVerdict) | undefined {
  const shadow = owner === 'account' ? shadowOf(query) : keyShadowOf(query)
  if (shadow === undefined) return undefined
  const { proposal } = shadow
  const denial = shadowDenial(reply, query.caps === undefined ? 'account' : 'key', owner)
  return (n) =>
    denial === undefined || n < denial.admitted
      ? { proposal, deniedMask: 0, retryAfterMs: 0 }
      : { proposal, deniedMask: denial.mask, retryAfterMs: denial.retryAfterMs }
}

function keyCounts(caps: KeyCaps, plan: AccountPlan, reply: LimiterReply, counted: number): KeyCounts {
  return {
    used: usedAfter(reply, 'key', counted),
    resetMs: [...resetsOf(reply, 'key'), 0],
    limits: caps.limits,
    policyHeader: caps.policyHeaderFor(plan),
  }
}
