import { SESSION_KEY_ID } from '@tapeline/contracts/usage/events'
import type { AccountPlan } from './account-plan.ts'
import { CONCURRENCY, type Decision } from './decision.ts'
import type { LastKnown } from './known-account.ts'
import { RollingWindow, WINDOW_CELLS } from './rolling-window.ts'

export type UsageKind = 'admitted' | 'denied' | 'refused'
/** What is to be added to Redis when it is back: arguments of merge.lua after its clock. */
export type Merge = { id: string; periodS: number; month: number; rings: number[]; usage: (number | string)[] }
export type ShareRequest = { nowMs: number; plan: AccountPlan; kid: string; openHere: number }

const WINDOW_MS = [1_000, 60_000, 3_600_000, 86_400_000]
const RETRY_CONCURRENCY_MS = 1_000

/**
 * What this gateway may admit of an account while Redis is away: in each window its part of what was left when the limiter
 * last spoke, at least one request; its part of the whole limit once that time has left the window.
 */
export class LocalShare {
  private readonly windows = WINDOW_CELLS.map((cells) => new RollingWindow(cells))
  private readonly usage = new Map<string, number>()
  private sent: Merge | undefined
  private month = 0
  private periodS = 0
  private readonly lastKnown: LastKnown | undefined
  private readonly gateways: number

  constructor(lastKnown: LastKnown | undefined, gateways: number) {
    this.lastKnown = lastKnown
    this.gateways = gateways
  }

  /** For what costs nothing: a look at the dashboard, or a local refusal. */
  look(
    verdict: 'admitted' | 'refused',
    { nowMs, plan, kid }: Omit<ShareRequest, 'openHere'>,
    isCounted: boolean,
  ): Decision {
    if (isCounted) this.countUsage(nowMs, kid, 'refused')
    const { limits } = plan
    return { verdict, isDegraded: true, nowMs, deniedMask: 0, retryAfterMs: 0, used: [], resetMs: [], limits }
  }

  decide({ nowMs, plan, kid, openHere }: ShareRequest): Decision {
    this.enterPeriod(plan.month.startS)
    const used = [...this.windows.map((window) => window.count(nowMs)), this.month, openHere]
    const deniedMask = used.reduce(
      (mask, count, n) => (count < this.shareOf(n, nowMs, plan) ? mask : mask | (1 << n)),
      0,
    )
    const verdict = deniedMask === 0 ? 'admitted' : 'denied'
    if (verdict === 'admitted') {
      for (const window of this.windows) window.add(nowMs, 1)
      this.month += 1
    }
    this.countUsage(nowMs, kid, verdict)
    const resetMs = [...this.windows.map((window) => window.resetMs(nowMs)), plan.month.endS * 1_000 - nowMs, 0]
    return {
      verdict,
      isDegraded: true,
      nowMs,
      deniedMask,
      retryAfterMs: deniedMask === 0 ? 0 : longestWait(deniedMask, resetMs),
      used: used.map((count, n) => this.inAll(n, count + (verdict === 'admitted' ? 1 : 0), nowMs, plan)),
      resetMs,
      limits: plan.limits,
    }
  }

  countUsage(nowMs: number, kid: string, kind: UsageKind): void {
    const cell = `${Math.floor(nowMs / 60_000)} ${kid} ${kind}`
    this.usage.set(cell, (this.usage.get(cell) ?? 0) + 1)
  }

  /** One admission of that time was counted by Redis itself. A merge that has left already holds it: that one stays. */
  takeBack(nowMs: number, kid: string): void {
    if (this.sent !== undefined) return
    for (const [n, window] of this.windows.entries()) {
      window.remove(Math.floor(nowMs / (WINDOW_CELLS[n]?.cellMs ?? 1)), 1)
    }
    this.month = Math.max(0, this.month - 1)
    this.uncount(`${Math.floor(nowMs / 60_000)} ${kid} admitted`, 1)
  }

  isEmpty(): boolean {
    return this.usage.size === 0
  }

  /** The same merge again until it is known to have arrived: its id keeps it from being added twice. */
  toMerge(newId: string): Merge {
    this.sent ??= {
      id: newId,
      periodS: this.periodS,
      month: this.month,
      rings: this.windows.flatMap((window, n) => window.entries().flatMap(({ cell, count }) => [n + 1, cell, count])),
      usage: [...this.usage].flatMap(([cell, count]) => [...cell.split(' '), count]),
    }
    return this.sent
  }

  /** Forgets what Redis now knows; what came after the merge was sent stays. */
  merged({ month, rings, usage }: Merge): void {
    this.sent = undefined
    this.month -= month
    for (let n = 0; n < rings.length; n += 3) {
      this.windows[(rings[n] ?? 1) - 1]?.remove(rings[n + 1] ?? 0, rings[n + 2] ?? 0)
    }
    for (let n = 0; n < usage.length; n += 4) {
      const cell = `${usage[n]} ${usage[n + 1] ?? SESSION_KEY_ID} ${usage[n + 2]}`
      this.uncount(cell, Number(usage[n + 3]))
    }
  }

  private uncount(cell: string, count: number): void {
    const left = (this.usage.get(cell) ?? 0) - count
    if (left > 0) this.usage.set(cell, left)
    else this.usage.delete(cell)
  }

  private shareOf(policy: number, nowMs: number, plan: AccountPlan): number {
    const limit = plan.limits.values[policy] ?? 0
    if (policy === CONCURRENCY) return Math.max(1, Math.floor(limit / this.gateways))
    return Math.max(1, Math.floor((limit - this.usedBefore(policy, nowMs, plan)) / this.gateways))
  }

  /** Requests of the time before, as far as they may still be in the window. */
  private usedBefore(policy: number, nowMs: number, plan: AccountPlan): number {
    if (this.lastKnown === undefined) return 0
    const { atMs, used } = this.lastKnown
    const windowMs = WINDOW_MS[policy]
    const isCounted = windowMs === undefined ? atMs >= plan.month.startS * 1_000 : nowMs - atMs < windowMs
    return isCounted ? (used[policy] ?? 0) : 0
  }

  /** What is reported: own requests and those of the time before. */
  private inAll(policy: number, count: number, nowMs: number, plan: AccountPlan): number {
    return policy === CONCURRENCY ? count : count + this.usedBefore(policy, nowMs, plan)
  }

  private enterPeriod(startS: number): void {
    if (this.periodS !== startS) this.month = 0
    this.periodS = startS
  }
}

function longestWait(mask: number, resetMs: number[]): number {
  const waits = resetMs.filter((_ms, n) => (mask & (1 << n)) !== 0)
  return Math.max(mask === 1 << CONCURRENCY ? RETRY_CONCURRENCY_MS : 1, ...waits)
}
