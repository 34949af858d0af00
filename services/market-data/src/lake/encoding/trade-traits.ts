import { RECEIVE_TIME, type Traits } from '../files/layout.ts'
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

/** Columns with one value, in layout order; must equal the result of `findTraits`, which reads rows. */
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
