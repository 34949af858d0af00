import type { Bar } from '@tapeline/contracts/market-data/bars'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import type { FormatTime } from '../records/render-record.ts'
import type { BarTotals } from './bar-totals.ts'
import { quotientOf, textOf } from './exact.ts'

/** Significant digits: prices usually have fewer, and 18 keep the rounding error below any tick. */
const VWAP_DIGITS = 18

export type RenderedBar = {
  instrument: RegisteredInstrument
  /** `1m`, or for example `ticks:100`. */
  bar: string
  /** Nanosecond digits; the end is exclusive for an interval. */
  start: string
  end: string
  totals: BarTotals
  finality: Bar['finality']
}

/** A bar as the contract's Bar. */
export function presentBar({ instrument, bar, start, end, totals, finality }: RenderedBar, format: FormatTime): Bar {
  const { instrumentId, venue, symbol, venueSymbol } = instrument
  const { first, last, open, high, low, close, volume, notional, count } = totals
  return {
    id: `${venue}:${symbol}:${bar}:${bar.includes(':') ? first.sequence : start}`,
    venue,
    symbol,
    venue_symbol: venueSymbol,
    instrument_id: instrumentId,
    bar,
    ts_start: format(start),
    ts_end: format(end),
    open,
    high,
    low,
    close,
    volume: textOf(volume),
    notional: textOf(notional),
    vwap: quotientOf(notional, volume, VWAP_DIGITS) ?? null,
    count,
    first_sequence: first.sequence,
    last_sequence: last.sequence,
    first_ts_event: format(first.tsEvent),
    last_ts_event: format(last.tsEvent),
    finality,
  }
}
