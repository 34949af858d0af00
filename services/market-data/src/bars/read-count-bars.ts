import type { Stores } from '../lake/reading/list-stored-rows.ts'
import type { Key } from '../records/cursor.ts'
import type { Filter } from '../records/filter.ts'
import { keyOfRow } from '../records/row-key.ts'
import type { BarTotals } from './bar-totals.ts'
import { type BarThreshold, createCountBarBuilder } from './count-bar-builder.ts'
import { exactOf, textOf } from './exact.ts'
import { tradeOfRow, tradeRows } from './trade-rows.ts'

const TRADES_PER_CALL = 50_000

export type CountBarRange = {
  threshold: BarThreshold
  instrumentId: number
  filter: Filter
  after: Key | undefined
  /** The incomplete bar at `after`. */
  open: BarTotals | undefined
}
export type FoundCountBars = {
  complete: BarTotals[]
  /** The incomplete bar at `reached`. */
  open: BarTotals | undefined
  reached: Key | undefined
  hasMore: boolean
  isShort: boolean
}

/**
 * Up to `limit` tick, volume or dollar bars. The trades of one call are bounded; the next call completes the open bar.
 */
export async function readCountBars(stores: Stores, range: CountBarRange, limit: number): Promise<FoundCountBars> {
  const { threshold, instrumentId, filter, after, open } = range
  const builder = createCountBarBuilder(threshold, open)
  const complete: BarTotals[] = []
  let reached = after
  let trades = 0
  const found = (state: { hasMore: boolean; isShort: boolean }) => ({
    complete,
    open: builder.open(),
    reached,
    ...state,
  })
  for await (const page of tradeRows(stores, { instrumentIds: [instrumentId], filter, after })) {
    for (const row of page.rows) {
      if (complete.length === limit) return found({ hasMore: true, isShort: false })
      const bar = builder.apply(tradeOfRow(row))
      if (bar !== undefined) complete.push(bar)
      reached = keyOfRow(row)
    }
    reached = page.reached ?? reached
    trades += page.rows.length
    if (trades >= TRADES_PER_CALL) return found({ hasMore: true, isShort: true })
  }
  return found({ hasMore: false, isShort: false })
}

/** The incomplete bar as a cursor carries it. */
export function packOpenBar(bar: BarTotals | undefined): PackedBar | undefined {
  return bar && { ...bar, volume: textOf(bar.volume), notional: textOf(bar.notional) }
}

type PackedBar = Omit<BarTotals, 'volume' | 'notional'> & { volume: string; notional: string }

/** The cursor's signature was verified, so the state has the shape that `packOpenBar` gave it. */
export function unpackOpenBar(state: unknown): BarTotals | undefined {
  const bar = state as PackedBar | undefined
  return bar && { ...bar, volume: exactOf(bar.volume), notional: exactOf(bar.notional) }
}
