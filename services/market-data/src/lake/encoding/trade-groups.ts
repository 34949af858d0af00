import type { DecodedArray } from 'hyparquet'
import { LAYOUTS, RECEIVE_TIME, type Traits } from '../files/layout.ts'
import type { TradeColumns } from './trade-columns.ts'

export function traitsOf(columns: TradeColumns): Traits {
  const { prices, sizes, sourceIds } = columns
  const scales = { priceScale: prices.scale, sizeScale: sizes.scale }
  const equal = countEqualTimes(columns)
  return {
    ...scales,
    hasNumericIds: !Array.isArray(sourceIds),
    constants: constantsOf(columns, equal),
    hasReceiveTimes: columns.rows > 0 && equal === 0,
  }
}

/** Rows that were received at the time of their event. */
function countEqualTimes({ rows, times, receiveTimes }: TradeColumns): number {
  if (receiveTimes === null) return rows
  let count = 0
  for (let at = 0; at < rows; at += 1) if (times[at] === receiveTimes[at]) count += 1
  return count
}

/** In the order of the layout and as text, as `findTraits` determines them. */
function constantsOf(columns: TradeColumns, equalTimes: number): ReadonlyMap<string, string | null> {
  const { rows, flags, sides, sideSources, hasTradeIds, conditions } = columns
  if (rows === 0) return new Map()
  const candidates: [string, string | null, boolean][] = [
    [RECEIVE_TIME, null, equalTimes === rows],
    ['flags', String(flags[0]), isConstant(flags)],
    ['side', letterOf(sides), isConstant(sides)],
    ['side_source', letterOf(sideSources), isConstant(sideSources)],
    ['has_trade_id', hasTradeIds[0] === 1 ? 't' : 'f', isConstant(hasTradeIds)],
    ['conditions', conditions?.[0] ?? null, isConstant(conditions ?? [])],
  ]
  return new Map(
    candidates.flatMap(([name, value, isSame]): [string, string | null][] => (isSame ? [[name, value]] : [])),
  )
}

function isConstant(values: ArrayLike<unknown>): boolean {
  for (let at = 1; at < values.length; at += 1) if (values[at] !== values[0]) return false
  return true
}

function letterOf(codes: Uint8Array): string {
  return String.fromCharCode(codes[0] ?? 0)
}

type Range = { from: number; to: number }

/** The values of a range of rows, by column of the layout, in the form that the Parquet writer accepts. */
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

/** A receive time is null if it equals the event time. Usually none is null, so a typed array suffices. */
function otherTimes(times: BigInt64Array, receiveTimes: BigInt64Array): BigInt64Array | (bigint | null)[] {
  for (let at = 0; at < times.length; at += 1) {
    if (times[at] === receiveTimes[at]) {
      return Array.from(receiveTimes, (time, index) => (time === times[index] ? null : time))
    }
  }
  return receiveTimes
}
