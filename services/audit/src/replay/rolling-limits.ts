/** Cells per window and their length, as in the gateway's rings.lua: burst, minute, hour, day. */
const CELLS = [11, 61, 61, 97] as const
const MS = [100, 1_000, 60_000, 900_000] as const
const WINDOWS = CELLS.length
const MONTH = 4
const CONCURRENCY = 5

/** Limits in the order burst, minute, hour, day, month, concurrent requests. */
export type LimitValues = readonly number[]
/** A limit that is not set: no count reaches it. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/**
 * The windows of one list of limits in virtual time: the algorithm of the gateway's decide.lua without Redis. Time never
 * goes back, because recorded requests are ordered by time.
 */
export class RollingLimits {
  month = 0
  private monthEndMs = 0
  private nowMs = 0
  private readonly cells = CELLS.map((count) => new Float64Array(count))
  private readonly newest = new Float64Array(WINDOWS)
  private readonly sums = new Float64Array(WINDOWS)

  /** Drops what has left the windows. A month that ends later than the known one is a new month. */
  advance(nowMs: number, monthEndMs: number): void {
    this.nowMs = nowMs
    if (monthEndMs > this.monthEndMs) {
      if (this.monthEndMs > 0) this.month = 0
      this.monthEndMs = monthEndMs
    }
    for (let n = 0; n < WINDOWS; n += 1) this.advanceWindow(n, nowMs)
  }

  private advanceWindow(n: number, nowMs: number): void {
    const [cells, count] = [this.cells[n] ?? NONE, CELLS[n] ?? 1]
    const cell = Math.floor(nowMs / (MS[n] ?? 1))
    const newest = this.newest[n] ?? 0
    if (cell <= newest) return
    if (cell - newest >= count) {
      cells.fill(0)
      this.sums[n] = 0
    } else {
      for (let m = newest + 1; m <= cell; m += 1) {
        const at = m % count
        this.sums[n] = (this.sums[n] ?? 0) - (cells[at] ?? 0)
        cells[at] = 0
      }
    }
    this.newest[n] = cell
  }

  /** Bit n: limit n has no room for one more request. */
  deniedMask(limits: LimitValues, open: number): number {
    let mask = 0
    for (let n = 0; n < WINDOWS; n += 1) if ((this.sums[n] ?? 0) >= (limits[n] ?? 0)) mask |= 1 << n
    if (this.month >= (limits[MONTH] ?? 0)) mask |= 1 << MONTH
    if (open >= (limits[CONCURRENCY] ?? 0)) mask |= 1 << CONCURRENCY
    return mask
  }

  add(): void {
    for (let n = 0; n < WINDOWS; n += 1) this.addTo(n, 1)
    this.month += 1
  }

  private addTo(n: number, count: number): void {
    const cells = this.cells[n] ?? NONE
    const at = (this.newest[n] ?? 0) % cells.length
    cells[at] = (cells[at] ?? 0) + count
    this.sums[n] = (this.sums[n] ?? 0) + count
  }

  /** Requests in burst, minute, hour, day and month. */
  used(n: number): number {
    return n === MONTH ? this.month : (this.sums[n] ?? 0)
  }

  /** Adds to a window what was counted otherwise, or removes it from the oldest cells. */
  correct(n: number, difference: number): void {
    if (n === MONTH) this.month += difference
    else if (difference > 0) this.addTo(n, difference)
    else this.removeOldest(n, -difference)
  }

  private removeOldest(n: number, count: number): void {
    const [cells, newest] = [this.cells[n] ?? NONE, this.newest[n] ?? 0]
    let remaining = count
    for (let m = newest - cells.length + 1; m <= newest && remaining > 0; m += 1) {
      const at = (m + cells.length) % cells.length
      const removed = Math.min(remaining, cells[at] ?? 0)
      cells[at] = (cells[at] ?? 0) - removed
      this.sums[n] = (this.sums[n] ?? 0) - removed
      remaining -= removed
    }
  }

  /** Milliseconds until every window of the mask has room for one more request. */
  waitMs(mask: number, limits: LimitValues): number {
    let wait = 0
    for (let n = 0; n < WINDOWS; n += 1) {
      if ((mask & (1 << n)) !== 0) wait = Math.max(wait, this.waitOf(n, limits[n] ?? 0))
    }
    return (mask & (1 << MONTH)) === 0 ? wait : Math.max(wait, this.monthEndMs - this.nowMs)
  }

  private waitOf(n: number, limit: number): number {
    const [cells, newest] = [this.cells[n] ?? NONE, this.newest[n] ?? 0]
    let need = (this.sums[n] ?? 0) + 1 - limit
    let m = newest - cells.length + 1
    for (; m <= newest && need > 0; m += 1) need -= cells[(m + cells.length) % cells.length] ?? 0
    return (m - 1 + cells.length) * (MS[n] ?? 0) - this.nowMs
  }
}

const NONE = new Float64Array(1)
