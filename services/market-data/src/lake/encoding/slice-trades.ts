import type { DecodedArray } from 'hyparquet'
import { LAYOUTS } from '../files/layout.ts'
import type { TradeColumns } from './trade-columns.ts'

type Range = { from: number; to: number }

/** The values of a range of rows, by column of the layout, in the form that the Parquet writer accepts. */
export function sliceTrades(columns: TradeColumns, { from, to }: Range): DecodedArray[] {
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

/** A receive time is null if it equals the event time. Usually none is null, so a typed array suffices. */
function otherTimes(times: BigInt64Array, receiveTimes: BigInt64Array): BigInt64Array | (bigint | null)[] {
  for (let at = 0; at < times.length; at += 1) {
    if (times[at] === receiveTimes[at]) {
      return Array.from(receiveTimes, (time, index) => (time === times[index] ? null : time))
    }
  }
  return receiveTimes
}
