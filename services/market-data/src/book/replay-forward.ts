import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { releaseUntil } from './events-until.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { type BookOf, readBook } from './read-book.ts'
import { createSequencer, type SequencedEvent, type Sequencer } from './sequencer.ts'
import { eventsFollowing, storedEvents } from './stored-events.ts'

/** The book directly before a time, and the events from then on. */
export type ForwardReplay = {
  book: OrderBook
  sequencer: Sequencer
  /** For each stored event up to `until` (exclusive), those that can be applied now: none, one or several. */
  events: (until: bigint, eventsPerRead: number) => AsyncGenerator<SequencedEvent[]>
}

export async function beginReplay(stores: Stores, of: BookOf, from: bigint): Promise<ForwardReplay> {
  const { instrumentId, venue } = of
  const { book, awaited, runs } =
    from === 0n ? { book: createOrderBook(venue), awaited: [], runs: new Map() } : await readBook(stores, of, from - 1n)
  const sequencer = createSequencer(runs)
  for (const event of awaited) sequencer.push(event)
  return {
    book,
    sequencer,
    async *events(until, eventsPerRead) {
      for await (const event of storedEvents(stores, instrumentId, {
        order: 'asc',
        start: from,
        end: until,
        eventsPerRead,
      })) {
        yield sequencer.push(event)
      }
      const last = until - 1n
      yield releaseUntil(sequencer, last, eventsFollowing(stores, instrumentId, last))
    },
  }
}
