import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import type { Filter } from './filter.ts'

/** What to read: instruments in the order of their ids, beyond `after` or from the edge of the range. */
export type Scan = { channel: ChannelName; instrumentIds: number[]; filter: Filter; after: Key | undefined }

/** Where a read begins (`edge`, and a sequence per instrument for ties there) and where it ends. */
export type Places = { edge: string; sequences: string[]; bound: string }

/** Sequences begin at 1. */
const BEFORE_ALL = '0'
const AFTER_ALL = String(NANOSECONDS_MAX)

/**
 * Beyond a key means, per instrument: later than its time, or in the same tie beyond its sequence. Instruments before
 * the key's are done with that tie in ascending order and have all of it before them in descending order.
 */
export function placesOf({ instrumentIds, filter, after }: Scan): Places {
  const { order, start = BEFORE_ALL, end = AFTER_ALL } = filter
  const [first, bound] = order === 'asc' ? [start, end] : [end, start]
  if (after === undefined) return { edge: first, sequences: instrumentIds.map(() => BEFORE_ALL), bound }
  const sequences = instrumentIds.map((id) => {
    if (id === after.instrumentId) return after.sequence
    return id < after.instrumentId ? AFTER_ALL : BEFORE_ALL
  })
  return { edge: after.tsEvent, sequences, bound }
}
