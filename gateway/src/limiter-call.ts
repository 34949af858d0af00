import type { AccountPlan, Limits } from './account-plan.ts'
import type { Decision } from './decision.ts'
import type { KnownAccount } from './known-account.ts'

/** `count`: decide one request. `look`: only check the versions. `refuse`: look, and count a local refusal. `report`: look at the windows. */
export type Purpose = 'count' | 'look' | 'refuse' | 'report'
/** Versions that Redis holds; -1 = it holds none. */
export type StaleVersions = { user: number; subscription: number; key: number }

/** A request that waits for the limiter. Exactly one of the four is called. */
export type Asker = {
  readonly leaseId: string
  onDecided: (decision: Decision) => void
  onStale: (versions: StaleVersions) => void
  onUnseeded: () => void
  onAway: () => void
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

const NOTHING_LOOKED_AT: readonly number[] = []

/** Hands the reply of one call to the requests that shared it. */
export function answerAskers({ question, askers }: LimiterCall, reply: Reply): void {
  const [verdict, nowMs = 0] = reply
  if (verdict === 2) {
    for (const asker of askers) asker.onUnseeded()
    return
  }
  if (verdict === 1) {
    const [, , user = -1, subscription = -1, key = -1] = reply
    for (const asker of askers) asker.onStale({ user, subscription, key })
    return
  }
  if (question.purpose === 'look' || question.purpose === 'refuse') {
    const decision = looked(question.purpose === 'refuse' ? 'refused' : 'admitted', nowMs, question.plan.limits)
    for (const asker of askers) asker.onDecided(decision)
    return
  }
  answerWindows(question, askers, reply)
}

function answerWindows({ account, plan, purpose }: Question, askers: Asker[], reply: Reply): void {
  const [, nowMs = 0, admitted = 0, deniedMask = 0, waitMs = 0, burst = 0, minute = 0, hour = 0, day = 0] = reply
  const [month = 0, open = 0] = [reply[9], reply[10]]
  const resetMs = [reply[11] ?? 0, reply[12] ?? 0, reply[13] ?? 0, reply[14] ?? 0, reply[15] ?? 0, 0]
  const after = (by: number) => [burst + by, minute + by, hour + by, day + by, month + by, open + by]
  const { limits } = plan
  for (let n = 0; n < askers.length; n += 1) {
    const isAdmitted = n < admitted || purpose === 'report'
    askers[n]?.onDecided({
      verdict: isAdmitted ? 'admitted' : 'denied',
      isDegraded: false,
      nowMs,
      deniedMask: isAdmitted ? 0 : deniedMask,
      retryAfterMs: isAdmitted ? 0 : waitMs,
      used: after(isAdmitted && purpose === 'count' ? n + 1 : admitted),
      resetMs,
      limits,
    })
  }
  account.lastKnown = { atMs: nowMs, used: after(admitted), values: limits.values }
}

function looked(verdict: 'admitted' | 'refused', nowMs: number, limits: Limits): Decision {
  const used = NOTHING_LOOKED_AT
  return { verdict, isDegraded: false, nowMs, deniedMask: 0, retryAfterMs: 0, used, resetMs: used, limits }
}
