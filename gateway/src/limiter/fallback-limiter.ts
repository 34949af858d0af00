/*
 * Decides while Redis does not answer in time. One `FallbackLimiter` covers one outage of one account: it begins with
 * the first decision that Redis did not make in time, and ends when, for 60 s, Redis has answered in time and there was
 * no merge and no late reply.
 *
 * Guarantee: in every rolling window, admitted <= limit + one share per gateway process, whatever is late, lost or merged.
 * - Redis admits at most the limit in time: its counters never lose a request, and merges only add to them.
 * - A process admits at most its share: max(1, floor((limit - used when the outage began) / processes)), or 0 if the
 *   limit was exhausted. The share grows as used requests leave the window, to at most max(1, floor(limit / processes)).
 *   Its admissions count against it until they leave the window, regardless of merges and late replies. A late reply
 *   only removes its request from the next merge, because Redis has counted it.
 * - An exhausted limit stays exhausted: every reply, including late ones and those of merges, reports the usage
 *   (reported-usage.ts). If it equals the limit, the share is 0 until Redis reports less or the window has passed.
 * - Errors are on the strict side: a request with a late reply may count twice in Redis, or count although the share
 *   denied it. Usage cells match the answers: the next merge subtracts what Redis counted for late replies.
 */
import type { AccountPlan } from './account-plan.ts'
import { CONCURRENCY, type Counts, type Decision, type KeyCounts, POLICIES_COUNT } from '../usage/decision.ts'
import type { KeyCaps } from './key-caps.ts'
import type { ReportedUsage } from './reported-usage.ts'
import { FallbackWindows, type WindowsMerge } from './fallback-windows.ts'

export type UsageKind = 'admitted' | 'denied' | 'refused'
/** Counts to add to Redis after an outage: arguments of merge.lua after its clock, and of merge-key.lua. */
export type Merge = WindowsMerge & {
  id: string
  /** When the first of it was admitted. */
  sinceMs: number
  usage: (number | string)[]
  keys: (WindowsMerge & { caps: KeyCaps })[]
}
export type FallbackRequest = {
  nowMs: number
  plan: AccountPlan
  kid: string
  openHere: number
  /** The key's own caps, if it has any. */
  caps?: KeyCaps | undefined
  openOfKey?: number
}
type KeyShare = { caps: KeyCaps; windows: FallbackWindows }

const RETRY_CONCURRENCY_MS = 1_000
const NO_WINDOWS: readonly number[] = []

/** The count of a request whose reply came late. */
export type LateReply = { redisMs: number; kid: string; keyId: string; kind: UsageKind }

/** Decides for one account, and for its keys with caps of their own, during an outage of Redis. */
export class FallbackLimiter {
  /** The last decision, late reply or merge of this outage. */
  activeMs = 0
  private readonly windows: FallbackWindows
  private readonly keys = new Map<string, KeyShare>()
  private readonly usage = new Map<string, number>()
  private sent: Merge | undefined
  /** The first admission that is in no merge. */
  private sinceMs: number | undefined
  private readonly gateways: number

  constructor(reported: ReportedUsage, gateways: number) {
    this.windows = new FallbackWindows(reported, gateways)
    this.gateways = gateways
  }

  /** For requests that cost nothing: calls of the dashboard, and authorization failures. */
  look(
    verdict: 'admitted' | 'refused',
    { nowMs, plan, kid }: Omit<FallbackRequest, 'openHere'>,
    isCounted: boolean,
  ): Decision {
    if (isCounted) this.addUsage(cellOf(nowMs, kid, 'refused'), 1)
    const nothing = { used: NO_WINDOWS, resetMs: NO_WINDOWS, limits: plan.limits }
    return { verdict, isDegraded: true, nowMs, deniedMask: 0, retryAfterMs: 0, ...nothing, key: undefined }
  }

  /** The windows as far as this gateway has counted them, without using them. */
  report(request: FallbackRequest): Decision {
    return this.decided(request, 'admitted', 0)
  }

  decide(request: FallbackRequest): Decision {
    const { nowMs, plan, kid, openHere, caps, openOfKey = 0 } = request
    const ofKey = caps === undefined ? undefined : this.keyWindows(caps)
    let deniedMask = this.windows.deniedMask({ nowMs, plan, limits: plan.limits, openHere })
    if (ofKey !== undefined && caps !== undefined) {
      const keyMask = ofKey.deniedMask({ nowMs, plan, limits: caps.limits, openHere: openOfKey })
      deniedMask |= keyMask << POLICIES_COUNT
    }
    const verdict = deniedMask === 0 ? 'admitted' : 'denied'
    if (verdict === 'admitted') {
      this.sinceMs ??= nowMs
      this.windows.admit(nowMs)
      ofKey?.admit(nowMs)
    }
    this.addUsage(cellOf(nowMs, kid, verdict), 1)
    const opened = verdict === 'admitted' ? 1 : 0
    return this.decided({ ...request, openHere: openHere + opened, openOfKey: openOfKey + opened }, verdict, deniedMask)
  }

  /**
   * Redis counted a request that was decided here; `admittedMs` is when the fallback admitted it, if it did. A merge
   * that was sent already is not changed.
   */
  countedByRedis({ redisMs, kid, keyId, kind }: LateReply, admittedMs: number | undefined): void {
    this.addUsage(cellOf(redisMs, kid, kind), -1)
    if (kind !== 'admitted' || admittedMs === undefined) return
    this.windows.subtractCounted(admittedMs)
    this.keys.get(keyId)?.windows.subtractCounted(admittedMs)
  }

  /** Whether no counts remain to be merged. */
  isEmpty(): boolean {
    return this.usage.size === 0 && this.sinceMs === undefined && this.sent === undefined
  }

  /** Returns the same merge until it is acknowledged: its id prevents adding it twice. */
  toMerge(newId: string): Merge {
    if (this.sent !== undefined) return this.sent
    this.sent = {
      id: newId,
      sinceMs: this.sinceMs ?? 0,
      ...this.windows.toMerge(),
      usage: [...this.usage].flatMap(([cell, count]) => [...cell.split(' '), count]),
      keys: [...this.keys.values()].map(({ caps, windows }) => ({ caps, ...windows.toMerge() })),
    }
    this.usage.clear()
    this.sinceMs = undefined
    return this.sent
  }

  /** Redis has acknowledged the merge. */
  merged(): void {
    this.sent = undefined
  }

  /** Redis added the usage cells but has no counters of the account yet: its windows are sent again. */
  windowsKept(merge: Merge): void {
    this.sent = undefined
    this.windows.restore(merge)
    for (const one of merge.keys) this.keys.get(one.caps.keyId)?.windows.restore(one)
    if (merge.sinceMs > 0) this.sinceMs = merge.sinceMs
  }

  private decided(request: FallbackRequest, verdict: 'admitted' | 'denied', deniedMask: number): Decision {
    const { nowMs, plan, openHere } = request
    const counts = this.windows.counts({ nowMs, plan, limits: plan.limits, openHere })
    const key = this.keyCounts(request)
    const retryAfterMs = deniedMask === 0 ? 0 : longestWait(deniedMask, counts, key)
    return { verdict, isDegraded: true, nowMs, deniedMask, retryAfterMs, ...counts, key }
  }

  private keyCounts({ nowMs, plan, caps, openOfKey = 0 }: FallbackRequest): KeyCounts | undefined {
    if (caps === undefined) return undefined
    const counts = this.keyWindows(caps).counts({ nowMs, plan, limits: caps.limits, openHere: openOfKey })
    return { ...counts, policyHeader: caps.policyHeaderFor(plan) }
  }

  private keyWindows(caps: KeyCaps): FallbackWindows {
    const found = this.keys.get(caps.keyId)
    if (found !== undefined) return found.windows
    const windows = new FallbackWindows(caps.reported, this.gateways)
    this.keys.set(caps.keyId, { caps, windows })
    return windows
  }

  private addUsage(cell: string, count: number): void {
    const sum = (this.usage.get(cell) ?? 0) + count
    if (sum === 0) this.usage.delete(cell)
    else this.usage.set(cell, sum)
  }
}

function cellOf(nowMs: number, kid: string, kind: UsageKind): string {
  return `${Math.floor(nowMs / 60_000)} ${kid} ${kind}`
}

function longestWait(mask: number, own: Counts, key: Counts | undefined): number {
  const resets = [...own.resetMs, ...(key?.resetMs ?? [])]
  const waits = resets.filter((_ms, n) => (mask & (1 << n)) !== 0)
  const isConcurrencyOnly = (mask & ~((1 << CONCURRENCY) | (1 << (CONCURRENCY + POLICIES_COUNT)))) === 0
  return Math.max(isConcurrencyOnly ? RETRY_CONCURRENCY_MS : 1, ...waits)
}
