import type { Stores } from '../lake/reading/list-stored-rows.ts'
import type { Key } from '../records/cursor.ts'
import type { Filter } from '../records/filter.ts'
import type { Scan } from '../records/scan.ts'
import { type BarTotals, mergeTotals, totalsOf } from './bar-totals.ts'
import {
  compareBars,
  type FoundBars,
  type InstrumentBar,
  isBeyond,
  keyOfBar,
  type TimeBarRange,
} from './time-bar-range.ts'
import { tradeOfRow, tradeRows } from './trade-rows.ts'

/** A call that has read this many trades returns the bars that are complete. */
const TRADES_PER_CALL = 50_000
const INSTRUMENT_ID_MAX = 2 ** 31 - 1
/** Maximum number of reads of one call in a range with few trades. */
const READS_MAX = 40

/** Up to `limit` time bars, computed from their trades. */
export async function readBarsOfTrades(stores: Stores, range: TimeBarRange, limit: number): Promise<FoundBars> {
  const collected = collectBars(range)
  const nothing = { bars: [], reached: range.after, hasMore: false, isShort: false }
  let trades = 0
  let reads = 0
  for await (const { rows, reached } of tradeRows(stores, scanOf(range))) {
    for (const row of rows) {
      const trade = tradeOfRow(row)
      collected.add(Number(row[0]), BigInt(trade.tsEvent), () => totalsOf(trade))
      if (collected.bars.length > limit) return pageOf(collected.bars.slice(0, limit), range, { hasMore: true })
    }
    trades += rows.length
    reads += 1
    if (trades < TRADES_PER_CALL && reads < READS_MAX) continue
    if (collected.bars.length > 0) return shortPage(collected.bars, range)
    if (trades === 0 && reached !== undefined) return { ...nothing, ...skipped(range, reached) }
  }
  collected.flush()
  return pageOf(collected.bars.slice(0, limit), range, { hasMore: collected.bars.length > limit })
}

function scanOf({ order, from, until, instrumentIds }: TimeBarRange): Omit<Scan, 'channel'> {
  const filter: Filter = { order, time_format: 'unix_ns', start: String(from), end: String(until) }
  return { instrumentIds, filter, after: undefined }
}

/**
 * Builds bars from trades in the order of the range; bars with the same start are returned when the next start is
 * reached.
 */
function collectBars(range: TimeBarRange) {
  const { clock, order } = range
  const bars: InstrumentBar[] = []
  let start = 0n
  let end = 0n
  let openBars = new Map<number, BarTotals>()
  const flush = () => {
    const done = [...openBars].map(([instrumentId, totals]) => ({ start, end, instrumentId, totals }))
    bars.push(...done.filter((bar) => isBeyond(range, bar)).toSorted(compareBars(order)))
    openBars = new Map()
  }
  return {
    bars,
    flush,
    add(instrumentId: number, time: bigint, totals: () => BarTotals) {
      if (time < start || time >= end) {
        flush()
        start = clock.startOf(time)
        end = clock.endOf(start)
      }
      const existing = openBars.get(instrumentId)
      openBars.set(instrumentId, existing === undefined ? totals() : mergeTotals(existing, totals()))
    },
  }
}

function pageOf(bars: InstrumentBar[], range: TimeBarRange, { hasMore }: { hasMore: boolean }): FoundBars {
  const last = bars.at(-1)
  return { bars, reached: last === undefined ? range.after : keyOfBar(last), hasMore, isShort: false }
}

function shortPage(bars: InstrumentBar[], range: TimeBarRange): FoundBars {
  return { ...pageOf(bars, range, { hasMore: true }), isShort: true }
}

/** Nothing was found up to `reached`: the next page continues from the bar that contains it. */
function skipped({ clock, order }: TimeBarRange, reached: Key): Omit<FoundBars, 'bars'> {
  const start = clock.startOf(BigInt(reached.tsEvent))
  const instrumentId = order === 'asc' ? 0 : INSTRUMENT_ID_MAX
  return { reached: keyOfBar({ start, instrumentId }), hasMore: true, isShort: true }
}
