import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { type BookOf, readBook } from './read-book.ts'
import { createSequencer, type SequencedEvent, type Sequencer, startAfter } from './sequencer.ts'
import { eventsFollowing, storedEvents } from './stored-events.ts'
import { releaseUntil } from './updates-until.ts'

/** The book directly before a time, and the events from then on. */
export type ForwardReplay = {
  book: OrderBook
  sequencer: Sequencer
  /** Time (ns) of the last event that was read. */
  readThrough: () => bigint
  /** For each stored event up to `until` (exclusive), those that can be applied now: none, one or several. */
  events: (until: bigint, eventsPerRead: number) => AsyncGenerator<SequencedEvent[]>
}

export async function beginReplay(stores: Stores, of: BookOf, from: bigint): Promise<ForwardReplay> {
  const { instrumentId, venue } = of
  const { book, awaited, runs } =
    from === 0n ? { book: createOrderBook(venue), awaited: [], runs: [] } : await readBook(stores, of, from - 1n)
  const start = startAfter(book, String(from - 1n))
  const sequencer = createSequencer(start && { ...start, runs })
  for (const event of awaited) sequencer.push(event)
  let readThrough = from - 1n
  return {
    book,
    sequencer,
    readThrough: () => readThrough,
    async *events(until, eventsPerRead) {
      for await (const event of storedEvents(stores, instrumentId, {
        order: 'asc',
        start: from,
        end: until,
        eventsPerRead,
      })) {
        readThrough = BigInt(event.tsEvent)
        yield sequencer.push(event)
      }
      const last = until - 1n
      yield releaseUntil(sequencer, last, eventsFollowing(stores, instrumentId, last))
    },
  }
}
