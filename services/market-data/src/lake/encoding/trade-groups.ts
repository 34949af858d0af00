import type { DecodedArray } from 'hyparquet'
import { LAYOUTS, type Traits } from '../files/layout.ts'
import type { TradeColumns } from './trade-columns.ts'

export function traitsOf({ prices, sizes, sourceIds }: TradeColumns): Traits {
  return { priceScale: prices.scale, sizeScale: sizes.scale, hasNumericIds: !Array.isArray(sourceIds) }
}

type Range = { from: number; to: number }

/** The values of some rows in the order of the columns of the layout, as the Parquet writer takes them. */
export function groupValues(columns: TradeColumns, { from, to }: Range): DecodedArray[] {
  const { sequences, times, receiveTimes, flags, sides, sideSources, hasTradeIds, prices, sizes } = columns
  const { sourceIds, conditions } = columns
  const rows = to - from
  return [
    sequences.subarray(from, to),
    times.subarray(from, to),
    receiveTimes === null ? nulls(rows) : otherTimes(times.subarray(from, to), receiveTimes.subarray(from, to)),
    Array.from(flags.subarray(from, to)),
    lettersOf(sides.subarray(from, to)),
    lettersOf(sideSources.subarray(from, to)),
    Array.from(hasTradeIds.subarray(from, to), (one) => one === 1),
    partOf(prices.values, { from, to }),
    partOf(sizes.values, { from, to }),
    partOf(sourceIds, { from, to }),
    conditions === null ? nulls(rows) : conditions.slice(from, to),
  ]
}

const NULLS: null[] = Array.from({ length: LAYOUTS.trade.rowsPerGroup }, () => null)

function nulls(rows: number): null[] {
  return rows === NULLS.length ? NULLS : NULLS.slice(0, rows)
}

function partOf(values: BigInt64Array | string[], { from, to }: Range): BigInt64Array | string[] {
  return Array.isArray(values) ? values.slice(from, to) : values.subarray(from, to)
}

const LETTERS = Array.from({ length: 128 }, (_value, code) => String.fromCharCode(code))

function lettersOf(codes: Uint8Array): string[] {
  return Array.from(codes, (code) => LETTERS[code] ?? '')
}

/** A receive time is null where it is that of the event. */
function otherTimes(times: BigInt64Array, receiveTimes: BigInt64Array): (bigint | null)[] {
  return Array.from(receiveTimes, (time, at) => (time === times[at] ? null : time))
}
