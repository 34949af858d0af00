import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import type { Key } from '../records/cursor.ts'
import type { Order } from '../records/filter.ts'
import { keyOfRow } from '../records/row-key.ts'
import type { Scan } from '../records/scan.ts'
import { type BookEvent, bookEventOf } from './book-event.ts'
import { type BookPlace, createOrderBook, type OrderBook } from './order-book.ts'
import { type BookOf, readBook } from './read-book.ts'
import { createSequencer, DISPLACED_NS, type SequencedEvent, type Sequencer } from './sequencer.ts'

/** The book directly before a time, and the events from then on. */
export type ForwardReplay = {
  book: OrderBook
  sequencer: Sequencer
  /** For each stored event up to `until` (exclusive), those that can be applied now: none, one or several. */
  events: (until: bigint, eventsPerRead: number) => AsyncGenerator<SequencedEvent[]>
}

export async function beginReplay(stores: Stores, of: BookOf, from: bigint): Promise<ForwardReplay> {
  const before = from === 0n ? undefined : await readBook(stores, of, from - 1n)
  const book = before?.book ?? createOrderBook(of.venue)
  const place = book.place()
  const sequencer = createSequencer(place && { ...place, tsEvent: String(from - 1n) })
  const resume = BigInt(before?.resumeTs ?? from)
  const displaced = from > DISPLACED_NS ? from - DISPLACED_NS : 0n
  const start = resume < displaced ? resume : displaced
  return {
    book,
    sequencer,
    async *events(until, eventsPerRead) {
      for await (const event of storedEvents(stores, of.instrumentId, {
        order: 'asc',
        start,
        end: until,
        eventsPerRead,
      })) {
        const isBefore = BigInt(event.tsEvent) < from && !isAwaited(event, place)
        yield isBefore ? [] : sequencer.push(event)
      }
    },
  }
}

/** Whether an event stamped before the time belongs after the book, because it follows an event with a later time. */
function isAwaited(event: BookEvent, place: BookPlace | undefined): boolean {
  if (event.type !== 'update') return false
  if (place === undefined || event.bookEpoch > place.bookEpoch) return true
  return event.bookEpoch === place.bookEpoch && event.sequence > place.sequence
}

type EventRange = { order: Order; start: bigint; end: bigint; eventsPerRead: number }

/** The events of one book in the order of their times, read on demand. */
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
