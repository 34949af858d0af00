import { type BarTotals, type BarTrade, mergeTotals, totalsOf } from './bar-totals.ts'
import { compareExact, type Exact } from './exact.ts'

/** What closes a bar: a number of trades, their volume, or their notional in the quote currency. */
export type BarThreshold = { by: 'ticks'; least: number } | { by: 'volume' | 'dollars'; least: Exact }

/** Tick, volume or dollar bars of one instrument, whose trades arrive in order. */
export type CountBarBuilder = {
  /** Adds a trade; returns the bar when this trade completed it. A trade is never split. */
  apply: (trade: BarTrade) => BarTotals | undefined
  /** The incomplete bar; undefined directly after a bar was completed. */
  open: () => BarTotals | undefined
}

/** `open`: the incomplete bar to continue, from the builder of the previous page. */
export function createCountBarBuilder(threshold: BarThreshold, open?: BarTotals): CountBarBuilder {
  let totals = open
  return {
    open: () => totals,
    apply(trade) {
      const grown = totals === undefined ? totalsOf(trade) : mergeTotals(totals, totalsOf(trade))
      const isComplete = reaches(grown, threshold)
      totals = isComplete ? undefined : grown
      return isComplete ? grown : undefined
    },
  }
}

function reaches({ count, volume, notional }: BarTotals, threshold: BarThreshold): boolean {
  if (threshold.by === 'ticks') return count >= threshold.least
  return compareExact(threshold.by === 'volume' ? volume : notional, threshold.least) >= 0
}
