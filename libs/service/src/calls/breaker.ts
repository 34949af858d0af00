const CELL_MS = 1_000
const OPEN_MS = 1_000

export type BreakerOptions = {
  /** Fewer calls in the window say nothing about the other side. */
  callsMin: number
  /** Part of the calls in the window that must have failed. */
  failureRatio: number
  /** Rolling, in cells of one second. */
  windowMs: number
}

const DEFAULTS: BreakerOptions = { callsMin: 5, failureRatio: 0.5, windowMs: 10_000 }

/**
 * Opens when too large a part of the calls of the last seconds failed, then lets one probe a second through until one
 * succeeds. Plain numbers: asking and telling cost nothing that a busy path would notice. Times are of one monotonic clock.
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

  /** False while open; one probe is let through per second. */
  allows(nowMs: number): boolean {
    if (this.openedMs === Infinity) return true
    if (nowMs < this.nextProbeMs) return false
    this.nextProbeMs = nowMs + OPEN_MS
    return true
  }

  /** A call that was sent at `sentMs`: one from before the opening says nothing about now. */
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

  /** Empties the cells that lie between the newest call and this one. */
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
