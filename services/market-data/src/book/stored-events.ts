import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { Key } from '../records/cursor.ts'
import type { Order } from '../records/filter.ts'
import { keyOfRow } from '../records/row-key.ts'
import type { Scan } from '../records/scan.ts'
import { type BookEvent, bookEventOf } from './book-event.ts'
import { DISPLACED_NS } from './sequencer.ts'

const EVENTS_PER_READ = 100

export type EventRange = { order: Order; start: bigint; end: bigint; eventsPerRead: number }

/** The events of one book in the order of their times, from `start` (ns) to before `end`, read on demand. */
export async function* storedEvents(
  stores: Stores,
  instrumentId: number,
  { order, start, end, eventsPerRead }: EventRange,
): AsyncGenerator<BookEvent> {
  const filter = { order, time_format: 'unix_ns', start: String(start), end: String(end) } as const
  let after: Key | undefined
  for (;;) {
    const scan: Scan = { channel: 'l2_event', instrumentIds: [instrumentId], filter, after }
    const limits = { limit: eventsPerRead, scanMax: Number.MAX_SAFE_INTEGER }
    const { rows, frontier } = await listStoredRows(stores, scan, limits)
    for (const row of rows) yield bookEventOf(row)
    const last = rows.at(-1)
    if (rows.length < eventsPerRead && frontier === undefined) return
    after = frontier ?? (last && keyOfRow(last))
  }
}

/** The exclusive end of a range that includes `at`, unless `at` is the largest time. */
export function endAfter(at: bigint): bigint {
  return at < NANOSECONDS_MAX ? at + 1n : at
}

/** Events that can precede an event of this time or earlier in sequence. */
export async function* eventsFollowing(stores: Stores, instrumentId: number, at: bigint): AsyncGenerator<BookEvent> {
  const [start, last] = [at + 1n, at + DISPLACED_NS]
  const end = endAfter(last < NANOSECONDS_MAX ? last : NANOSECONDS_MAX)
  if (start < end)
    yield* storedEvents(stores, instrumentId, { order: 'asc', start, end, eventsPerRead: EVENTS_PER_READ })
}
