import type { AccountPlan } from './account-plan.ts'
import { MONTH } from '../usage/decision.ts'
import { WINDOW_CELLS } from './rolling-window.ts'

/** Requests in burst, minute, hour, day and month as Redis counted them, and milliseconds until each window frees capacity. */
export type UsageReport = {
  /** When the answer arrived, by this gateway's clock: never earlier than the moment it describes. */
  atMs: number
  /** Redis's own clock orders two answers. */
  redisMs: number
  used: readonly number[]
  resetMs: readonly number[]
}

const NOTHING: UsageReport = { atMs: 0, redisMs: 0, used: [], resetMs: [] }

/** The usage that Redis last reported for one list of limits: the base of this gateway's share during an outage. */
export class ReportedUsage {
  private last: UsageReport

  constructor(last = NOTHING) {
    this.last = last
  }

  /** An answer of the limiter, late ones included: one connection keeps their order. */
  record(report: UsageReport): void {
    this.last = report
  }

  /** The answer of a merge may be read after that of a newer decision; then the higher counts are kept. */
  recordMerged(report: UsageReport): void {
    if (report.redisMs > this.last.redisMs) this.last = report
    else this.last = { ...this.last, used: this.last.used.map((used, n) => Math.max(used, report.used[n] ?? 0)) }
  }

  /** Requests that may still be in the window: all of them until the cell of the answer has left it. */
  usedAt(policy: number, nowMs: number, plan: AccountPlan): number {
    return nowMs < this.expiryMs(policy, plan) ? (this.last.used[policy] ?? 0) : 0
  }

  /** Milliseconds until the window is expected to free capacity; 0 when no request in it was reported. */
  resetMsAt(policy: number, nowMs: number, plan: AccountPlan): number {
    if (this.usedAt(policy, nowMs, plan) === 0) return 0
    const resetMs = this.last.atMs + (this.last.resetMs[policy] ?? 0) - nowMs
    return resetMs > 0 ? resetMs : this.expiryMs(policy, plan) - nowMs
  }

  copy(): ReportedUsage {
    return new ReportedUsage(this.last)
  }

  private expiryMs(policy: number, { month }: AccountPlan): number {
    const { atMs } = this.last
    const window = WINDOW_CELLS[policy]
    if (window !== undefined) return (Math.floor(atMs / window.cellMs) + window.cells) * window.cellMs
    return policy === MONTH && atMs >= month.startS * 1_000 ? month.endS * 1_000 : 0
  }
}
