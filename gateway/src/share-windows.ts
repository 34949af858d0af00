import type { AccountPlan, Limits } from './account-plan.ts'
import { CONCURRENCY, type Counts } from './decision.ts'
import type { LastKnown } from './key-caps.ts'
import { RollingWindow, WINDOW_CELLS } from './rolling-window.ts'

/** What is to be added to one list of counters: window, cell, count, … as the scripts take it. */
export type WindowsMerge = { periodS: number; month: number; rings: number[] }
type Moment = { nowMs: number; plan: AccountPlan; limits: Limits; openHere: number }

const WINDOW_MS = [1_000, 60_000, 3_600_000, 86_400_000]

/**
 * One list of limits while Redis is away: in each window this gateway's part of what was left when the limiter last spoke,
 * at least one request; its part of the whole limit once that time has left the window.
 */
export class ShareWindows {
  private readonly windows = WINDOW_CELLS.map((cells) => new RollingWindow(cells))
  private month = 0
  private periodS = 0
  private readonly lastKnown: LastKnown | undefined
  private readonly gateways: number

  constructor(lastKnown: LastKnown | undefined, gateways: number) {
    this.lastKnown = lastKnown
    this.gateways = gateways
  }

  /** Bit n: the policy POLICIES[n] is used up here. */
  deniedMask(moment: Moment): number {
    this.enterPeriod(moment.plan.month.startS)
    return this.usedHere(moment).reduce(
      (mask, count, n) => (count < this.shareOf(n, moment) ? mask : mask | (1 << n)),
      0,
    )
  }

  admit(nowMs: number): void {
    for (const window of this.windows) window.add(nowMs, 1)
    this.month += 1
  }

  takeBack(nowMs: number): void {
    for (const [n, window] of this.windows.entries()) {
      window.remove(Math.floor(nowMs / (WINDOW_CELLS[n]?.cellMs ?? 1)), 1)
    }
    this.month = Math.max(0, this.month - 1)
  }

  /** What is reported: own requests and those of the time before. */
  counts(moment: Moment): Counts {
    const { nowMs, plan, limits } = moment
    this.enterPeriod(plan.month.startS)
    const used = this.usedHere(moment).map((count, n) => (n === CONCURRENCY ? count : count + this.before(n, moment)))
    const resetMs = [...this.windows.map((window) => window.resetMs(nowMs)), plan.month.endS * 1_000 - nowMs, 0]
    return { used, resetMs, limits }
  }

  toMerge(): WindowsMerge {
    const rings = this.windows.flatMap((window, n) =>
      window.entries().flatMap(({ cell, count }) => [n + 1, cell, count]),
    )
    return { periodS: this.periodS, month: this.month, rings }
  }

  merged({ periodS, month, rings }: WindowsMerge): void {
    // A merge that arrives over a month's start was of the month before.
    if (periodS === this.periodS) this.month = Math.max(0, this.month - month)
    for (let n = 0; n < rings.length; n += 3) {
      this.windows[(rings[n] ?? 1) - 1]?.remove(rings[n + 1] ?? 0, rings[n + 2] ?? 0)
    }
  }

  private usedHere({ nowMs, openHere }: Moment): number[] {
    return [...this.windows.map((window) => window.count(nowMs)), this.month, openHere]
  }

  private shareOf(policy: number, moment: Moment): number {
    const limit = moment.limits.values[policy] ?? 0
    if (policy === CONCURRENCY) return Math.max(1, Math.floor(limit / this.gateways))
    return Math.max(1, Math.floor((limit - this.before(policy, moment)) / this.gateways))
  }

  /** Requests of the time before, as far as they may still be in the window. */
  private before(policy: number, { nowMs, plan }: Moment): number {
    if (this.lastKnown === undefined) return 0
    const { atMs, used } = this.lastKnown
    const windowMs = WINDOW_MS[policy]
    const isCounted = windowMs === undefined ? atMs >= plan.month.startS * 1_000 : nowMs - atMs < windowMs
    return isCounted ? (used[policy] ?? 0) : 0
  }

  private enterPeriod(startS: number): void {
    if (this.periodS !== startS) this.month = 0
    this.periodS = startS
  }
}
