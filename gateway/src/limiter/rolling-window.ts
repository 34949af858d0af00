/** Cells of each rolling window: how long one lasts, and how many are counted (the current one and the n before it). */
export const WINDOW_CELLS = [
  { cellMs: 100, cells: 11 },
  { cellMs: 1_000, cells: 61 },
  { cellMs: 60_000, cells: 61 },
  { cellMs: 900_000, cells: 97 },
] as const

/**
 * One rolling window in memory, by the same rule as the limiter's script: the partly covered oldest cell counts in full.
 */
export class RollingWindow {
  private readonly counts: Uint32Array
  private readonly cellMs: number
  private newest = 0
  private sum = 0

  constructor({ cellMs, cells }: { cellMs: number; cells: number }) {
    this.cellMs = cellMs
    this.counts = new Uint32Array(cells)
  }

  count(nowMs: number): number {
    this.advance(nowMs)
    return this.sum
  }

  add(nowMs: number, count: number): void {
    this.advance(nowMs)
    this.setCell(this.newest, this.cell(this.newest) + count)
    this.sum += count
  }

  /** Subtracts an added count if its cell is still counted. */
  remove(cell: number, count: number): void {
    if (cell > this.newest || cell <= this.newest - this.counts.length) return
    const removed = Math.min(count, this.cell(cell))
    this.setCell(cell, this.cell(cell) - removed)
    this.sum -= removed
  }

  /** Milliseconds until the oldest counted request leaves; 0 when there is none. */
  resetMs(nowMs: number): number {
    this.advance(nowMs)
    const [oldest] = this.entries()
    return oldest === undefined ? 0 : (oldest.cell + this.counts.length) * this.cellMs - nowMs
  }

  /** Cells with requests, oldest first. */
  entries(): { cell: number; count: number }[] {
    const found: { cell: number; count: number }[] = []
    for (let cell = this.newest - this.counts.length + 1; cell <= this.newest; cell += 1) {
      const count = this.cell(cell)
      if (count > 0) found.push({ cell, count })
    }
    return found
  }

  private advance(nowMs: number): void {
    const current = Math.max(Math.floor(nowMs / this.cellMs), this.newest)
    if (current - this.newest >= this.counts.length) {
      this.counts.fill(0)
      this.sum = 0
    } else {
      for (let cell = this.newest + 1; cell <= current; cell += 1) {
        this.sum -= this.cell(cell)
        this.setCell(cell, 0)
      }
    }
    this.newest = current
  }

  private cell(cell: number): number {
    return cell < 0 ? 0 : (this.counts[cell % this.counts.length] ?? 0)
  }

  private setCell(cell: number, count: number): void {
    this.counts[cell % this.counts.length] = count
  }
}
