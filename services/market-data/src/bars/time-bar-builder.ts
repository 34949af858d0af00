import type { BarClock } from './bar-clock.ts'
import { type BarTotals, type BarTrade, mergeTotals, totalsOf } from './bar-totals.ts'

/** A bar over [start, end), nanoseconds since 1970. */
export type TimeBar = { start: bigint; end: bigint; totals: BarTotals }

/** The time bars of one instrument as its trades arrive, in any order. */
export type TimeBarBuilder = {
  /**
   * Adds a trade or the totals of a part of a bar. Returns the changed bar; undefined for a bar that was released
   * before: read such a correction from storage.
   */
  apply: (trade: BarTrade) => TimeBar | undefined
  applyTotals: (time: bigint, totals: BarTotals) => TimeBar | undefined
  /** Releases the bars that end at or before `through`, oldest first: no further trades of them are expected. */
  release: (through: bigint) => TimeBar[]
}

export function createTimeBarBuilder(clock: BarClock): TimeBarBuilder {
  const open = new Map<bigint, TimeBar>()
  let released = 0n
  let latest: TimeBar | undefined
  const applyTotals = (time: bigint, totals: BarTotals): TimeBar | undefined => {
    const existing =
      latest !== undefined && time >= latest.start && time < latest.end ? latest : open.get(clock.startOf(time))
    if (existing !== undefined) {
      existing.totals = mergeTotals(existing.totals, totals)
      latest = existing
      return existing
    }
    const start = clock.startOf(time)
    const end = clock.endOf(start)
    if (end <= released) return undefined
    latest = { start, end, totals }
    open.set(start, latest)
    return latest
  }
  return {
    applyTotals,
    apply: (trade) => applyTotals(BigInt(trade.tsEvent), totalsOf(trade)),
    release(through) {
      if (through > released) released = through
      const done = [...open.values()].filter(({ end }) => end <= released)
      for (const { start } of done) open.delete(start)
      if (latest !== undefined && latest.end <= released) latest = undefined
      return done.toSorted((one, other) => (one.start < other.start ? -1 : 1))
    },
  }
}
