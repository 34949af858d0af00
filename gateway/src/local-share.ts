import { SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import type { AccountPlan } from './account-plan.ts'
import { CONCURRENCY, type Counts, type Decision, type KeyCounts, POLICIES_COUNT } from './decision.ts'
import type { KeyCaps, LastKnown } from './key-caps.ts'
import { ShareWindows, type WindowsMerge } from './share-windows.ts'

export type UsageKind = 'admitted' | 'denied' | 'refused'
/** What is to be added to Redis when it is back: arguments of merge.lua after its clock, and of merge-key.lua. */
export type Merge = WindowsMerge & {
  id: string
  /** When the first of it was admitted. */
  sinceMs: number
  usage: (number | string)[]
  keys: (WindowsMerge & { caps: KeyCaps })[]
}
export type ShareRequest = {
  nowMs: number
  plan: AccountPlan
  kid: string
  openHere: number
  /** Of a key with caps of its own. */
  caps?: KeyCaps | undefined
  openOfKey?: number
}
type KeyShare = { caps: KeyCaps; windows: ShareWindows }

const RETRY_CONCURRENCY_MS = 1_000
const NOTHING_LOOKED_AT: readonly number[] = []

/** What this gateway may admit of an account while Redis is away, and of each of its keys that has caps of its own. */
export class LocalShare {
  private readonly windows: ShareWindows
  private readonly keys = new Map<string, KeyShare>()
  private readonly usage = new Map<string, number>()
  private sent: Merge | undefined
  /** The first admission that no merge holds. */
  private sinceMs: number | undefined
  private readonly gateways: number

  constructor(lastKnown: LastKnown | undefined, gateways: number) {
    this.windows = new ShareWindows(lastKnown, gateways)
    this.gateways = gateways
  }

  /** For what costs nothing: a look at the dashboard, or a local refusal. */
  look(
    verdict: 'admitted' | 'refused',
    { nowMs, plan, kid }: Omit<ShareRequest, 'openHere'>,
    isCounted: boolean,
  ): Decision {
    if (isCounted) this.countUsage(nowMs, kid, 'refused')
    const nothing = { used: NOTHING_LOOKED_AT, resetMs: NOTHING_LOOKED_AT, limits: plan.limits }
    return { verdict, isDegraded: true, nowMs, deniedMask: 0, retryAfterMs: 0, ...nothing, key: undefined }
  }

  /** The windows as this gateway knows them, without using them. */
  report(request: ShareRequest): Decision {
    return this.decided(request, 'admitted', 0)
  }

  decide(request: ShareRequest): Decision {
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
    this.countUsage(nowMs, kid, verdict)
    const opened = verdict === 'admitted' ? 1 : 0
    return this.decided({ ...request, openHere: openHere + opened, openOfKey: openOfKey + opened }, verdict, deniedMask)
  }

  countUsage(nowMs: number, kid: string, kind: UsageKind): void {
    const cell = `${Math.floor(nowMs / 60_000)} ${kid} ${kind}`
    this.usage.set(cell, (this.usage.get(cell) ?? 0) + 1)
  }

  /** One admission of that time was counted by Redis itself. A merge that has left already holds it: that one stays. */
  takeBack(nowMs: number, kid: string, keyId = ''): void {
    if (this.sent !== undefined) return
    this.windows.takeBack(nowMs)
    this.keys.get(keyId)?.windows.takeBack(nowMs)
    this.uncount(`${Math.floor(nowMs / 60_000)} ${kid} admitted`, 1)
  }

  isEmpty(): boolean {
    return this.usage.size === 0 && this.sinceMs === undefined && this.sent === undefined
  }

  /** The same merge again until it is known to have arrived: its id keeps it from being added twice. */
  toMerge(newId: string): Merge {
    if (this.sent !== undefined) return this.sent
    this.sent = {
      id: newId,
      sinceMs: this.sinceMs ?? 0,
      ...this.windows.toMerge(),
      usage: [...this.usage].flatMap(([cell, count]) => [...cell.split(' '), count]),
      keys: [...this.keys.values()].map(({ caps, windows }) => ({ caps, ...windows.toMerge() })),
    }
    this.sinceMs = undefined
    return this.sent
  }

  /** Forgets what Redis now knows; what came after the merge was sent stays. */
  merged(merge: Merge): void {
    this.usageMerged(merge)
    this.windows.merged(merge)
    for (const one of merge.keys) this.keys.get(one.caps.keyId)?.windows.merged(one)
  }

  /** Redis knows nothing of the account yet: until it does, this share goes on as its limit. */
  windowsKept(merge: Merge): void {
    this.usageMerged(merge)
    if (merge.sinceMs > 0) this.sinceMs = merge.sinceMs
  }

  private usageMerged({ usage }: Merge): void {
    this.sent = undefined
    for (let n = 0; n < usage.length; n += 4) {
      const cell = `${usage[n]} ${usage[n + 1] ?? SESSION_KEY_ID} ${usage[n + 2]}`
      this.uncount(cell, Number(usage[n + 3]))
    }
  }

  private decided(request: ShareRequest, verdict: 'admitted' | 'denied', deniedMask: number): Decision {
    const { nowMs, plan, openHere } = request
    const counts = this.windows.counts({ nowMs, plan, limits: plan.limits, openHere })
    const key = this.keyCounts(request)
    const retryAfterMs = deniedMask === 0 ? 0 : longestWait(deniedMask, counts, key)
    return { verdict, isDegraded: true, nowMs, deniedMask, retryAfterMs, ...counts, key }
  }

  private keyCounts({ nowMs, plan, caps, openOfKey = 0 }: ShareRequest): KeyCounts | undefined {
    if (caps === undefined) return undefined
    const counts = this.keyWindows(caps).counts({ nowMs, plan, limits: caps.limits, openHere: openOfKey })
    return { ...counts, policyHeader: caps.policyHeaderFor(plan) }
  }

  private keyWindows(caps: KeyCaps): ShareWindows {
    const found = this.keys.get(caps.keyId)
    if (found !== undefined) return found.windows
    const windows = new ShareWindows(caps.lastKnown, this.gateways)
    this.keys.set(caps.keyId, { caps, windows })
    return windows
  }

  private uncount(cell: string, count: number): void {
    const left = (this.usage.get(cell) ?? 0) - count
    if (left > 0) this.usage.set(cell, left)
    else this.usage.delete(cell)
  }
}

function longestWait(mask: number, own: Counts, key: Counts | undefined): number {
  const resets = [...own.resetMs, ...(key?.resetMs ?? [])]
  const waits = resets.filter((_ms, n) => (mask & (1 << n)) !== 0)
  const isConcurrencyOnly = (mask & ~((1 << CONCURRENCY) | (1 << (CONCURRENCY + POLICIES_COUNT)))) === 0
  return Math.max(isConcurrencyOnly ? RETRY_CONCURRENCY_MS : 1, ...waits)
}
