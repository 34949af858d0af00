import type { AccountPlan } from './account-plan.ts'
import { CONCURRENCY, type Counts, type Limits, MONTH } from '../usage/decision.ts'
import type { ReportedUsage } from './reported-usage.ts'
import { RollingWindow, WINDOW_CELLS } from './rolling-window.ts'

/**
 * Counts to add to one list of counters: admitted in the month that began at `periodS` and in the one before, then
 * window, cell, count, … as the scripts take it.
 */
export type WindowsMerge = { periodS: number; month: number; monthBefore: number; rings: number[] }
type Moment = { nowMs: number; plan: AccountPlan; limits: Limits; openHere: number }

/** One list of limits during an outage: what this gateway admitted, and what of it Redis has yet to receive. */
export class FallbackWindows {
  private readonly windows = WINDOW_CELLS.map((cells) => new RollingWindow(cells))
  private month = 0
  private periodS = 0
  private pending = WINDOW_CELLS.map((cells) => new RollingWindow(cells))
  private pendingMonth = 0
  private pendingBefore = 0
  /** The lowest possible count in Redis since the outage began, without this gateway's share. */
  private readonly base: ReportedUsage
  private readonly least = WINDOW_CELLS.map(() => Infinity).concat(Infinity)
  private readonly reported: ReportedUsage
  private readonly gateways: number

  constructor(reported: ReportedUsage, gateways: number) {
    this.reported = reported
    this.base = reported.copy()
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
    for (const window of [...this.windows, ...this.pending]) window.add(nowMs, 1)
    this.month += 1
    this.pendingMonth += 1
  }

  /** Redis itself counted one admission of that time: it is not sent again, but still uses the share. */
  subtractCounted(nowMs: number): void {
    for (const [n, window] of this.pending.entries()) {
      window.remove(Math.floor(nowMs / (WINDOW_CELLS[n]?.cellMs ?? 1)), 1)
    }
    this.pendingMonth = Math.max(0, this.pendingMonth - 1)
  }

  /** Counts for the answer: own requests and those before the outage, or Redis's last report if that is more. */
  counts(moment: Moment): Counts {
    const { nowMs, plan, limits } = moment
    this.enterPeriod(plan.month.startS)
    const here = this.usedHere(moment)
    const used = here.map((count, n) =>
      n === CONCURRENCY ? count : Math.max(count + this.baseOf(n, moment), this.reported.usedAt(n, nowMs, plan)),
    )
    const resetMs = this.windows.map((window, n) => {
      const isReported = here[n] === 0 || this.isFull(n, moment)
      return isReported ? this.reported.resetMsAt(n, nowMs, plan) : window.resetMs(nowMs)
    })
    return { used, resetMs: [...resetMs, plan.month.endS * 1_000 - nowMs, 0], limits }
  }

  toMerge(): WindowsMerge {
    const rings = this.pending.flatMap((window, n) =>
      window.entries().flatMap(({ cell, count }) => [n + 1, cell, count]),
    )
    const merge = { periodS: this.periodS, month: this.pendingMonth, monthBefore: this.pendingBefore, rings }
    this.pending = WINDOW_CELLS.map((cells) => new RollingWindow(cells))
    this.pendingMonth = 0
    this.pendingBefore = 0
    return merge
  }

  /** A merge that could not be added yet. */
  restore({ periodS, month, monthBefore, rings }: WindowsMerge): void {
    if (periodS === this.periodS) {
      this.pendingMonth += month
      this.pendingBefore += monthBefore
    } else this.pendingBefore += month
    const sent = WINDOW_CELLS.map((cells) => new RollingWindow(cells))
    const now = this.pending.map((window) => window.entries())
    for (let n = 0; n < rings.length; n += 3) addCell(sent, (rings[n] ?? 1) - 1, rings[n + 1] ?? 0, rings[n + 2] ?? 0)
    for (const [n, cells] of now.entries()) for (const { cell, count } of cells) addCell(sent, n, cell, count)
    this.pending = sent
  }

  private usedHere({ nowMs, openHere }: Moment): number[] {
    return [...this.windows.map((window) => window.count(nowMs)), this.month, openHere]
  }

  private shareOf(policy: number, moment: Moment): number {
    const limit = moment.limits.values[policy] ?? 0
    if (policy === CONCURRENCY) return Math.max(1, Math.floor(limit / this.gateways))
    const left = limit - this.baseOf(policy, moment)
    return left <= 0 || this.isFull(policy, moment) ? 0 : Math.max(1, Math.floor(left / this.gateways))
  }

  private isFull(policy: number, { nowMs, plan, limits }: Moment): boolean {
    return this.reported.usedAt(policy, nowMs, plan) >= (limits.values[policy] ?? 0)
  }

  /** The part of the usage at the start of the outage that may still be in the window. */
  private baseOf(policy: number, { nowMs, plan }: Moment): number {
    const least = Math.min(this.least[policy] ?? 0, this.reported.usedAt(policy, nowMs, plan))
    this.least[policy] = least
    return Math.min(least, this.base.usedAt(policy, nowMs, plan))
  }

  private enterPeriod(startS: number): void {
    if (this.periodS === startS) return
    this.periodS = startS
    this.month = 0
    this.pendingBefore = this.pendingMonth
    this.pendingMonth = 0
    this.least[MONTH] = Infinity
  }
}

function addCell(windows: readonly RollingWindow[], n: number, cell: number, count: number): void {
  windows[n]?.add(cell * (WINDOW_CELLS[n]?.cellMs ?? 1), count)
}
