import type { AccountPlan } from './account-plan.ts'
import type { Decision, KeyCounts } from './decision.ts'
import type { KeyCaps } from './key-caps.ts'
import type { KnownAccount } from './known-account.ts'
import type { UsageKind } from './local-share.ts'

/** `count`: decide one request. `look`: only check the versions. `refuse`: look, and count a local refusal. `report`: look at the windows. */
export type Purpose = 'count' | 'look' | 'refuse' | 'report'
/** Versions that Redis holds; -1 = it holds none. `mark` is another one after Redis has lost the account. */
export type StaleVersions = { user: number; subscription: number; key: number; mark: number }

/** Whose counters Redis does not know. The ticket is worth nothing once Redis has lost the account again. */
export type Unseeded = { what: 'account'; ticket: number } | { what: 'key' }

/** A request that waits for the limiter. Exactly one of the first four is called. */
export type Asker = {
  readonly leaseId: string
  onDecided: (decision: Decision) => void
  onStale: (versions: StaleVersions) => void
  onUnseeded: (unseeded: Unseeded) => void
  onAway: () => void
  /** After `onAway`: Redis had counted it all the same, its reply was only late. */
  onCountedAfterAll: (redisMs: number, kind: UsageKind) => void
}

/** What requests that travel in one call have in common. */
export type Question = {
  account: KnownAccount
  plan: AccountPlan
  kid: string
  userVersion: number
  subscriptionVersion: number
  /** undefined: a session, which has no key. */
  keyVersion: number | undefined
  /** Empty: a session. */
  keyId: string
  caps: KeyCaps | undefined
  /** Empty, or `<mark>:<bits>` of the records loaded after Redis said, under this mark, that their version is missing. */
  loaded: string
  purpose: Purpose
}

/** Requests of one account and key that are decided by one call of the script. */
export type LimiterCall = { question: Question; askers: Asker[] }

export const LEASE_MS = 10_000
const ASKERS_MAX = 200

export function canJoin({ question, askers }: LimiterCall, other: Question): boolean {
  return (
    question.account === other.account &&
    question.kid === other.kid &&
    question.purpose === other.purpose &&
    question.plan === other.plan &&
    question.loaded === other.loaded &&
    question.userVersion === other.userVersion &&
    question.subscriptionVersion === other.subscriptionVersion &&
    question.keyVersion === other.keyVersion &&
    question.caps === other.caps &&
    askers.length < ASKERS_MAX
  )
}

/** Arguments of decide.lua: how many keys, then these and the rest. */
export function scriptArguments(
  { question, askers }: LimiterCall,
  testClockMs: string,
): [keys: number, ...rest: string[]] {
  const { account, plan, kid, keyVersion, purpose, caps } = question
  const { keys } = account
  const argv: [number, ...string[]] = [
    caps === undefined ? 4 : 6,
    keys.account,
    keys.rings,
    account.leases.key,
    keys.usage,
  ]
  if (caps !== undefined) argv.push(caps.rings, caps.leasesKey)
  argv.push(
    kid,
    String(question.userVersion),
    String(question.subscriptionVersion),
    keyVersion === undefined ? '' : String(keyVersion),
    question.loaded,
    purpose === 'count' ? String(askers.length) : '0',
    purpose === 'refuse' ? String(askers.length) : '0',
    purpose === 'report' ? '1' : '0',
    String(LEASE_MS),
    ...plan.limits.argv,
    ...plan.monthArgv,
    testClockMs,
    question.keyId,
  )
  if (caps !== undefined) argv.push(...caps.limits.argv)
  if (purpose === 'count') for (const { leaseId } of askers) argv.push(leaseId)
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
/** The month's end stands behind the four windows of the account; it is the key's too. */
const MONTH_END_AT = 15
const NOTHING_LOOKED_AT: readonly number[] = []

/** Hands the reply of one call to the requests that shared it. */
export function answerAskers({ question, askers }: LimiterCall, reply: Reply): void {
  if (reply[0] === UNSEEDED) for (const asker of askers) asker.onUnseeded({ what: 'account', ticket: number(reply, 2) })
  else if (reply[0] === KEY_UNSEEDED) for (const asker of askers) asker.onUnseeded({ what: 'key' })
  else if (reply[0] === STALE) answerStale(askers, reply)
  else if (question.purpose === 'look' || question.purpose === 'refuse') answerLooked(question, askers, reply)
  else answerWindows(question, askers, reply)
}

function answerStale(askers: Asker[], reply: Reply): void {
  const [user, subscription, key, mark] = [number(reply, 2), number(reply, 3), number(reply, 4), number(reply, 5)]
  const versions = { user, subscription, key, mark }
  for (const asker of askers) asker.onStale(versions)
}

function answerLooked({ plan, purpose }: Question, askers: Asker[], reply: Reply): void {
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
  for (const asker of askers) asker.onDecided(decision)
}

/** The first of them were admitted and the others denied, if any: all came at the same moment and cost the same. */
function answerWindows({ plan, purpose, caps }: Question, askers: Asker[], reply: Reply): void {
  const [nowMs, admitted] = [number(reply, 1), number(reply, 2)]
  const resetMs = [...reply.slice(RESETS_FROM, KEY_USED_FROM), 0]
  const { limits } = plan
  for (const [n, asker] of askers.entries()) {
    const isAdmitted = n < admitted || purpose === 'report'
    const counted = n < admitted ? n + 1 : admitted
    asker.onDecided({
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

/** Late replies are learnt from as well. */
export function learnUsage({ question }: LimiterCall, reply: Reply, atMs: number): void {
  const { account, purpose, caps } = question
  if (reply[0] !== DECIDED || (purpose !== 'count' && purpose !== 'report')) return
  const [redisMs, admitted] = [number(reply, 1), number(reply, 2)]
  const resetMs = reply.slice(RESETS_FROM, KEY_USED_FROM)
  account.known.learn({ atMs, redisMs, used: usedAfter(reply, USED_FROM, admitted), resetMs })
  if (caps === undefined) return
  const keyResetMs = [...reply.slice(KEY_RESETS_FROM), number(reply, MONTH_END_AT)]
  caps.known.learn({ atMs, redisMs, used: usedAfter(reply, KEY_USED_FROM, admitted), resetMs: keyResetMs })
}

/** Whose reply came too late: what Redis counted for each of them. */
export function tellCounted({ question: { purpose }, askers }: LimiterCall, reply: Reply): void {
  if (reply[0] !== DECIDED || (purpose !== 'count' && purpose !== 'refuse')) return
  const [redisMs, admitted] = [number(reply, 1), number(reply, 2)]
  for (const [n, asker] of askers.entries()) {
    if (purpose === 'refuse') asker.onCountedAfterAll(redisMs, 'refused')
    else asker.onCountedAfterAll(redisMs, n < admitted ? 'admitted' : 'denied')
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
