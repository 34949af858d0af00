/** The part of an instrument in the answer of `GET /api/v1/instruments` that is used here. */
export type Listed = {
  venue: string
  symbol: string
  first_ts_event: string | null
  last_ts_event: string | null
}
/** The stored records of an instrument. */
export type History = { symbol: string; fromMs: number; toMs: number }

const VENUE = 'sim'
/** Length of a time up to its milliseconds: not every engine parses nanoseconds. */
const MS_DIGITS = '2026-01-01T00:00:00.000'.length

/**
 * Stored records of the simulated instruments with these symbols, at most the last `daysMax` days.
 * @throws Error when none of them has records
 */
export function historiesOf(
  instruments: readonly Listed[],
  { symbols, daysMax, nowMs }: { symbols: readonly string[]; daysMax: number; nowMs: number },
): History[] {
  const earliestMs = nowMs - daysMax * 86_400_000
  const histories = instruments
    .filter(({ venue, symbol }) => venue === VENUE && symbols.includes(symbol))
    .map(({ symbol, first_ts_event: first, last_ts_event: last }) => ({
      symbol,
      fromMs: Math.max(earliestMs, msOf(first)),
      toMs: msOf(last),
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
  if (histories.length === 0) throw new Error(`the platform has no records of ${symbols.join(', ')} at venue ${VENUE}`)
  return histories
}

/** NaN for null. */
function msOf(time: string | null): number {
  return time === null ? Number.NaN : Date.parse(`${time.slice(0, MS_DIGITS)}Z`)
}
