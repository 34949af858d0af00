const CELL_MS = 1_000
const OPEN_MS = 1_000

export type BreakerOptions = {
  /** Minimum number of calls in the window before the breaker can open. */
  callsMin: number
  /** Ratio of failed calls in the window at which it opens, 0…1. */
  failureRatio: number
  /** Length of the rolling window in ms, in cells of one second. */
  windowMs: number
}

const DEFAULTS: BreakerOptions = { callsMin: 5, failureRatio: 0.5, windowMs: 10_000 }

/**
 * Circuit breaker: opens when the failure ratio of the last seconds is too high, then allows one probe per second
 * until one succeeds. Uses plain numbers, so the cost per call is negligible. Times are from one monotonic clock, in
 * ms.
 */
export class Breaker {
  private readonly calls: Float64Array
  private readonly failures: Float64Array
  private cell = 0
  private openedMs = Infinity
  private nextProbeMs = 0
  private readonly options: BreakerOptions

  constructor(options: Partial<BreakerOptions> = {}) {
    this.options = { ...DEFAULTS, ...options }
    const cells = Math.ceil(this.options.windowMs / CELL_MS)
    this.calls = new Float64Array(cells)
    this.failures = new Float64Array(cells)
  }

  get isOpen(): boolean {
    return this.openedMs !== Infinity
  }

  /** False while open, except for one probe per second. */
  allows(nowMs: number): boolean {
    if (this.openedMs === Infinity) return true
    if (nowMs < this.nextProbeMs) return false
    this.nextProbeMs = nowMs + OPEN_MS
    return true
  }

  /** Records the success of a call sent at `sentMs`; calls sent before the breaker opened are ignored. */
  succeeded(nowMs: number, sentMs: number): void {
    this.turn(nowMs)
    this.count(this.calls)
    if (sentMs >= this.openedMs) this.close()
  }

  failed(nowMs: number): void {
    this.turn(nowMs)
    this.count(this.calls)
    this.count(this.failures)
    if (this.isOpen) return
    const calls = sum(this.calls)
    if (calls < this.options.callsMin || sum(this.failures) < calls * this.options.failureRatio) return
    this.openedMs = nowMs
    this.nextProbeMs = nowMs + OPEN_MS
  }

  private close(): void {
    this.openedMs = Infinity
    this.calls.fill(0)
    this.failures.fill(0)
  }

  private count(counts: Float64Array): void {
    const at = this.cell % counts.length
    counts[at] = (counts[at] ?? 0) + 1
  }

  /** Clears the cells between the newest call and this one. */
  private turn(nowMs: number): void {
    const cell = Math.floor(nowMs / CELL_MS)
    const passed = Math.min(cell - this.cell, this.calls.length)
    for (let n = 1; n <= passed; n += 1) {
      const at = (this.cell + n) % this.calls.length
      this.calls[at] = 0
      this.failures[at] = 0
    }
    if (cell > this.cell) this.cell = cell
  }
}

function sum(counts: Float64Array): number {
  let total = 0
  for (const count of counts) total += count
  return total
}
