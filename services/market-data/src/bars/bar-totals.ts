import { compareDecimals } from '../decimal.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import { type Exact, exactOf, productOf, sumOf } from './exact.ts'

/** The fields of a trade that a bar uses; times are nanosecond digits, decimals canonical. */
export type BarTrade = { tsEvent: string; sequence: string; price: string; size: string }

/** Place of a trade in its instrument's order. */
export type Place = { tsEvent: string; sequence: string }

/** The sum of one or more trades of an instrument. `notional` is the sum of price × size. */
export type BarTotals = {
  first: Place
  last: Place
  open: string
  high: string
  low: string
  close: string
  volume: Exact
  notional: Exact
  count: number
}

export function totalsOf({ tsEvent, sequence, price, size }: BarTrade): BarTotals {
  const place = { tsEvent, sequence }
  const volume = exactOf(size)
  return {
    first: place,
    last: place,
    open: price,
    high: price,
    low: price,
    close: price,
    volume,
    notional: productOf(exactOf(price), volume),
    count: 1,
  }
}

/** The sum of both, in any order: open and close follow from the places, so late trades need no special case. */
export function mergeTotals(one: BarTotals, other: BarTotals): BarTotals {
  const isOneFirst = comparePlaces(one.first, other.first) <= 0
  const isOneLast = comparePlaces(one.last, other.last) >= 0
  return {
    first: isOneFirst ? one.first : other.first,
    last: isOneLast ? one.last : other.last,
    open: isOneFirst ? one.open : other.open,
    high: compareDecimals(one.high, other.high) >= 0 ? one.high : other.high,
    low: compareDecimals(one.low, other.low) <= 0 ? one.low : other.low,
    close: isOneLast ? one.close : other.close,
    volume: sumOf(one.volume, other.volume),
    notional: sumOf(one.notional, other.notional),
    count: one.count + other.count,
  }
}

/** The order (ts_event, sequence). */
export function comparePlaces(one: Place, other: Place): number {
  return compareNanoseconds(one.tsEvent, other.tsEvent) || compareNanoseconds(one.sequence, other.sequence)
}
