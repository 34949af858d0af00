import type { Stores } from '../../lake/reading/list-stored-rows.ts'
import type { Row } from '../../records/record-queries.ts'
import { portionsOf } from '../feed-block.ts'
import type { FeedReader } from '../feed-reader.ts'
import type { SubscriptionParameters } from '../open-subscription.ts'
import { comparePositions, laterOf } from '../position.ts'
import type { Pace } from '../read-up-to-now.ts'
import type { Source, Subscription } from '../subscription.ts'
import type { BookChannel } from './book-channel.ts'
import { bookViewOf } from './book-view.ts'
import { DerivedFeed } from './derived-feed.ts'
import { readChanges } from './read-changes.ts'

/** From a cursor: the books that the client already has at its positions, and their depth. */
type OpenBooks = { book: BookChannel; of: number[] }

/** The source of one subscription to a channel of books. */
export function bookSource(stores: Stores, channel: BookChannel, parameters: SubscriptionParameters): Source {
  const openBooks = new Set(openBooksOf(parameters.cursorState, channel))
  const isFromNow = parameters.after === undefined && parameters.start === undefined
  const reading: Reading = { stores, channel, openBooks, verified: new Set() }
  return {
    view: bookViewOf(channel, parameters.filter, parameters.instruments),
    ...(channel === 'bbo' ? {} : { cursorState: (): OpenBooks => ({ book: channel, of: [...openBooks] }) }),
    async readUpToNow(subscription, pace) {
      const readers = [...subscription.readers.values()]
      if (isFromNow && channel !== 'bbo') for (const reader of readers) sendWholeBook(reading, subscription, reader)
      do {
        for (const reader of readers) {
          if (!canJoin(reading, reader) && !(await readStored(reading, { subscription, reader, pace }))) return
        }
        if (!(await pace.hasDrained())) return
      } while (!subscription.joinFeeds())
    },
  }
}

function openBooksOf(state: unknown, channel: BookChannel): number[] {
  const { book, of } = (state ?? {}) as Partial<OpenBooks>
  return book === channel && Array.isArray(of) ? of : []
}

type Reading = {
  stores: Stores
  channel: BookChannel
  /** Instruments whose book the client already has. */
  openBooks: Set<number>
  /** Instruments whose place was read from the store. */
  verified: Set<number>
}

/** Whether the feed has every change after the client's position. */
function canJoin({ channel, openBooks, verified }: Reading, { feed, position }: FeedReader): boolean {
  if (comparePositions(feed.ring.from, position) > 0) return false
  if (channel === 'bbo' || verified.has(feed.instrumentId)) return true
  return openBooks.has(feed.instrumentId) && feed instanceof DerivedFeed && feed.contains(position)
}

function sendWholeBook({ openBooks, verified }: Reading, subscription: Subscription, reader: FeedReader): void {
  const { feed } = reader
  reader.position = laterOf(reader.position, feed.tail)
  openBooks.add(feed.instrumentId)
  verified.add(feed.instrumentId)
  const row = feed instanceof DerivedFeed ? feed.wholeBook(reader.position) : undefined
  if (row !== undefined) send(subscription, [row], new Map([[feed.instrumentId, feed.lastSequence]]))
}

type Reader = { subscription: Subscription; reader: FeedReader; pace: Pace }

/** Sends the stored records after the reader's position; false when the connection has ended. */
async function readStored(
  { stores, channel, openBooks, verified }: Reading,
  { subscription, reader, pace }: Reader,
): Promise<boolean> {
  const { feed } = reader
  const { instrumentId } = feed
  const instrument = subscription.parameters.instruments.find((one) => one.instrumentId === instrumentId)
  if (instrument === undefined) return false
  subscription.releaseLate()
  const sequences = subscription.bufferLate()
  const { tail } = feed
  const after = reader.position
  const changes = readChanges(stores, { channel, instrument, after, hasBook: openBooks.has(instrumentId) })
  for await (const part of inTurns(changes, pace)) {
    if (!(await pace.hasDrained())) return false
    openBooks.add(instrumentId)
    verified.add(instrumentId)
    send(subscription, part.rows, sequences)
    // The end of the store includes the feed's tail as read before.
    reader.position = laterOf(reader.position, part.isEnd ? laterOf(part.reached, tail) : part.reached)
    pace.onPage(part.rows.length)
  }
  return !subscription.hasEnded()
}

/** Each part is read in a turn of its own, so that no turn lasts until the client has received the part. */
async function* inTurns<T>(parts: AsyncGenerator<T>, { inTurn }: Pace): AsyncGenerator<T> {
  for (;;) {
    const part = await inTurn(() => parts.next())
    if (part.done === true) return
    yield part.value
  }
}

function send(subscription: Subscription, rows: readonly Row[], sequences: ReadonlyMap<number, number>): void {
  for (const portion of portionsOf(rows, subscription.view.renderNow())) {
    subscription.sendStored(rows, portion, sequences)
  }
}
