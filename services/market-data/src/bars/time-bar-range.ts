import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { Key } from '../records/cursor.ts'
import type { Filter, Order } from '../records/filter.ts'
import type { BarClock } from './bar-clock.ts'
import type { TimeBar } from './time-bar-builder.ts'

export type InstrumentBar = TimeBar & { instrumentId: number }

/** Which time bars to read: those that begin in [from, until), beyond `after` in the order (start, instrument). */
export type TimeBarRange = {
  clock: BarClock
  order: Order
  instrumentIds: number[]
  /** Begin of the first bar, exclusive end of the last. */
  from: bigint
  until: bigint
  after: Key | undefined
}

export type FoundBars = {
  bars: InstrumentBar[]
  /** Position at which the next page begins. */
  reached: Key | undefined
  hasMore: boolean
  /** More may follow although the page is not full, because the work of one call is bounded. */
  isShort: boolean
}

/** Bars at the edges of the filter: one that began before `start` is omitted, the last one is complete. */
export function timeBarRange(
  clock: BarClock,
  { order, start, end }: Filter,
  place: { instrumentIds: number[]; after: Key | undefined },
): TimeBarRange {
  const { after } = place
  let from = start === undefined ? 0n : storable(firstFrom(clock, BigInt(start)))
  let until = end === undefined ? NANOSECONDS_MAX : storable(clock.endOf(clock.startOf(BigInt(end) - 1n)))
  if (after !== undefined) {
    const at = BigInt(after.tsEvent)
    if (order === 'asc' && at > from) from = at
    if (order === 'desc' && clock.endOf(at) < until) until = clock.endOf(at)
  }
  return { clock, order, from, until, ...place }
}

/** The bar that contains the largest time ends after it. */
function storable(time: bigint): bigint {
  return time < NANOSECONDS_MAX ? time : NANOSECONDS_MAX
}

function firstFrom(clock: BarClock, time: bigint): bigint {
  const start = clock.startOf(time)
  return start === time ? start : clock.endOf(start)
}

export function keyOfBar({ start, instrumentId }: Pick<InstrumentBar, 'start' | 'instrumentId'>): Key {
  return { tsEvent: String(start), instrumentId, sequence: '0' }
}

/** Whether a bar comes after the key in the order of the range. */
export function isBeyond({ order, after }: TimeBarRange, { start, instrumentId }: InstrumentBar): boolean {
  if (after === undefined) return true
  const at = BigInt(after.tsEvent)
  const difference = start === at ? instrumentId - after.instrumentId : start < at ? -1 : 1
  return order === 'asc' ? difference > 0 : difference < 0
}

export function compareBars(order: Order): (one: InstrumentBar, other: InstrumentBar) => number {
  const direction = order === 'asc' ? 1 : -1
  return (one, other) => {
    if (one.start !== other.start) return one.start < other.start ? -direction : direction
    return direction * (one.instrumentId - other.instrumentId)
  }
}
