import type { AccountPlan } from './account-plan.ts'
import type { Decision } from './decision.ts'
import type { KnownAccount } from './known-account.ts'

/** `count`: decide one request. `look`: only check the versions. `refuse`: look, and count a local refusal. `report`: look at the windows. */
export type Purpose = 'count' | 'look' | 'refuse' | 'report'
/** Versions that Redis holds; -1 = it holds none. */
export type StaleVersions = { user: number; subscription: number; key: number }

/** A request that waits for the limiter. Exactly one of the first four is called. */
export type Asker = {
  readonly leaseId: string
  onDecided: (decision: Decision) => void
  onStale: (versions: StaleVersions) => void
  onUnseeded: () => void
  onAway: () => void
  /** After `onAway`: Redis had admitted it all the same, its reply was only late. */
  onCountedAfterAll: () => void
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
  /** Bits of the records (1 user, 2 subscription, 4 key) loaded after Redis said that their version is missing. */
  loadedBits: number
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
    question.loadedBits === other.loadedBits &&
    question.userVersion === other.userVersion &&
    question.subscriptionVersion === other.subscriptionVersion &&
    question.keyVersion === other.keyVersion &&
    askers.length < ASKERS_MAX
  )
}

/** Arguments of decide.lua, keys first. */
export function scriptArguments({ question, askers }: LimiterCall, testClockMs: string): string[] {
  const { account, plan, kid, keyVersion, purpose } = question
  const { keys } = account
  const argv = [
    keys.account,
    keys.rings,
    keys.leases,
    keys.usage,
    kid,
    String(question.userVersion),
    String(question.subscriptionVersion),
    keyVersion === undefined ? '' : String(keyVersion),
    String(question.loadedBits),
    purpose === 'count' ? String(askers.length) : '0',
    purpose === 'refuse' ? String(askers.length) : '0',
    purpose === 'report' ? '1' : '0',
    String(LEASE_MS),
    ...plan.limits.argv,
    ...plan.monthArgv,
    testClockMs,
  ]
  if (purpose === 'count') for (const { leaseId } of askers) argv.push(leaseId)
  return argv
}

export const SCRIPT_KEYS = 4

/** Reply of decide.lua: numbers only. */
export type Reply = readonly number[]

const STALE = 1
const UNSEEDED = 2
const USED_FROM = 5
const RESETS_FROM = 11
const NOTHING_LOOKED_AT: readonly number[] = []

/** Hands the reply of one call to the requests that shared it. */
export function answerAskers({ question, askers }: LimiterCall, reply: Reply): void {
  if (reply[0] === UNSEEDED) for (const asker of askers) asker.onUnseeded()
  else if (reply[0] === STALE) answerStale(askers, reply)
  else if (question.purpose === 'look' || question.purpose === 'refuse') answerLooked(question, askers, reply)
  else answerWindows(question, askers, reply)
}

function answerStale(askers: Asker[], reply: Reply): void {
  const versions = { user: number(reply, 2), subscription: number(reply, 3), key: number(reply, 4) }
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
  }
  for (const asker of askers) asker.onDecided(decision)
}

/** The first of them were admitted and the others denied, if any: all came at the same moment and cost the same. */
function answerWindows({ account, plan, purpose }: Question, askers: Asker[], reply: Reply): void {
  const [nowMs, admitted] = [number(reply, 1), number(reply, 2)]
  const resetMs = [...reply.slice(RESETS_FROM), 0]
  const { limits } = plan
  for (const [n, asker] of askers.entries()) {
    const isAdmitted = n < admitted || purpose === 'report'
    asker.onDecided({
      verdict: isAdmitted ? 'admitted' : 'denied',
      isDegraded: false,
      nowMs,
      deniedMask: isAdmitted ? 0 : number(reply, 3),
      retryAfterMs: isAdmitted ? 0 : number(reply, 4),
      used: usedAfter(reply, n < admitted ? n + 1 : admitted),
      resetMs,
      limits,
    })
  }
  account.lastKnown = { atMs: nowMs, used: usedAfter(reply, admitted), values: limits.values }
}

/** Requests in burst, minute, hour, day, month and open ones, after so many of these. */
function usedAfter(reply: Reply, admitted: number): number[] {
  const used = reply.slice(USED_FROM, RESETS_FROM)
  for (let n = 0; n < used.length; n += 1) used[n] = (used[n] ?? 0) + admitted
  return used
}

function number(reply: Reply, at: number): number {
  return reply[at] ?? 0
}
