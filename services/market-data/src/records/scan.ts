import { compareNanoseconds, NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import type { Filter } from './filter.ts'

/**
 * What to read: instruments in the order of their ids, beyond `after` or from the edge of the range. `floors`:
 * instruments that were read further than `after`, each to its own place; ascending only.
 */
export type Scan = {
  channel: ChannelName
  instrumentIds: number[]
  filter: Filter
  after: Key | undefined
  floors?: readonly Key[] | undefined
  /** Bounds of the receive time, beside the range of `filter`: half open, ns. */
  received?: TimeBounds | undefined
  /** The last sequence of each instrument that counts; without it, all do. */
  through?: ReadonlyMap<number, string> | undefined
}
export type TimeBounds = { start?: string | undefined; end?: string | undefined }

/** Maximum difference between event and receive time: clock difference plus transfer time. */
const CLOCKS_APART_NS = 3_600_000_000_000n

/**
 * A filter on the receive time as one on the event time, which orders and indexes all records: the range is wider by an
 * hour on both sides, and the receive time is compared in it.
 */
export function byEventTime(filter: Filter): { filter: Filter; received: TimeBounds | undefined } {
  if (filter.time_field !== 'ts_recv') return { filter, received: undefined }
  const { start, end, ...rest } = filter
  const earliest = start === undefined ? 0n : BigInt(start) - CLOCKS_APART_NS
  const widened: Filter = { ...rest, start: String(earliest > 0n ? earliest : 0n) }
  if (end !== undefined) widened.end = String(minOf(BigInt(end) + CLOCKS_APART_NS, NANOSECONDS_MAX))
  return { filter: widened, received: { start, end } }
}

function minOf(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

/** Where a read begins (`edges` and, for ties there, `sequences`, per instrument) and where it ends. */
export type Places = { edges: string[]; sequences: string[]; bound: string }

/** Sequences begin at 1. */
const BEFORE_ALL = '0'
const AFTER_ALL = String(NANOSECONDS_MAX)

/**
 * Beyond a key means, per instrument: later than its time, or at the same time beyond its sequence. Instruments before
 * the key's have no rows left at that time in ascending order, and all of them left in descending order.
 */
export function placesOf({ instrumentIds, filter, after, floors }: Scan): Places {
  const { order, start = BEFORE_ALL, end = AFTER_ALL } = filter
  const [first, bound] = order === 'asc' ? [start, end] : [end, start]
  const places = instrumentIds.map((id): Place => {
    const place = after === undefined ? { edge: first, sequence: BEFORE_ALL } : placeAfter(after, id)
    const floor = floors?.find(({ instrumentId }) => instrumentId === id)
    return floor !== undefined && isBeyond(floor, place) ? { edge: floor.tsEvent, sequence: floor.sequence } : place
  })
  return { edges: places.map(({ edge }) => edge), sequences: places.map(({ sequence }) => sequence), bound }
}

type Place = { edge: string; sequence: string }

function placeAfter({ tsEvent, instrumentId, sequence }: Key, id: number): Place {
  if (id === instrumentId) return { edge: tsEvent, sequence }
  return { edge: tsEvent, sequence: id < instrumentId ? AFTER_ALL : BEFORE_ALL }
}

function isBeyond({ tsEvent, sequence }: Key, place: Place): boolean {
  return (compareNanoseconds(tsEvent, place.edge) || compareNanoseconds(sequence, place.sequence)) > 0
}
