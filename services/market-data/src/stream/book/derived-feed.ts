import { compareNanoseconds } from '../../nanoseconds.ts'
import type { Row } from '../../records/record-queries.ts'
import { FeedBlock } from '../feed-block.ts'
import { FeedRing } from '../feed-ring.ts'
import type { Feed, FeedListener } from '../live-feed.ts'
import { comparePositions, compareRows, laterOf, type Position, positionOfRow } from '../position.ts'
import type { BookChannel } from './book-channel.ts'

/** Changes of consecutive events, and the position of the book after them. */
export type Derived = { rows: readonly Row[]; lastSequence: number; reached: Position }
export type DerivedFeedOptions = {
  channel: BookChannel
  instrumentId: number
  start: { lastSequence: number; reached: Position }
  wholeBook: (place: Position) => Row | undefined
}

/** The live end of one channel of one book. Every change reaches the listeners once. */
export class DerivedFeed implements Feed {
  readonly instrumentId: number
  readonly listeners = new Set<FeedListener>()
  lastSequence: number
  tail: Position
  ring: FeedRing
  private readonly channel: BookChannel
  private readonly readWholeBook: DerivedFeedOptions['wholeBook']

  constructor({ channel, instrumentId, start, wholeBook }: DerivedFeedOptions) {
    this.channel = channel
    this.instrumentId = instrumentId
    this.lastSequence = start.lastSequence
    this.tail = start.reached
    this.ring = new FeedRing(start.reached)
    this.readWholeBook = wholeBook
  }

  /** The book with everything up to the tail, as a row at a place; undefined before its first snapshot. */
  wholeBook(place: Position): Row | undefined {
    return this.readWholeBook(place)
  }

  /** Whether a client that has read to this position has seen the same changes as this feed delivered. */
  contains(position: Position): boolean {
    return comparePositions(this.tail, position) === 0 || this.ring.contains(position)
  }

  deliver({ rows, lastSequence, reached }: Derived): void {
    const placed = this.channel === 'bbo' ? rows : this.inOrder(rows)
    const isLate = (row: Row) => comparePositions(positionOfRow(row), this.tail) <= 0
    const late = placed.filter(isLate)
    const fresh = (late.length === 0 ? placed : placed.filter((row) => !isLate(row))).toSorted(compareRows)
    if (fresh.length > 0) {
      const block = new FeedBlock(fresh)
      this.ring.push(block)
      this.tail = block.last
      for (const listener of this.listeners) listener.onBlock(this, block)
      block.clearMessages()
    }
    this.lastSequence = lastSequence
    if (late.length > 0) this.announceLate(late, 0)
    this.tail = laterOf(this.tail, reached)
  }

  /** Late rows that were not read may belong in the ring buffer, so it is reset. */
  announceLate(rows: readonly Row[], omitted: number): void {
    if (omitted > 0) this.ring = new FeedRing(this.tail)
    else this.ring.insert(rows)
    for (const listener of this.listeners) listener.onLate(this, rows, omitted)
  }

  /**
   * Changes of a book must stay in their order: a change that is stamped before the last one, such as a snapshot by
   * another clock, gets the next position after it.
   */
  private inOrder(rows: readonly Row[]): Row[] {
    let last = this.tail
    return rows.map((row) => {
      const { tsEvent, sequence } = positionOfRow(row)
      let place = { tsEvent: compareNanoseconds(tsEvent, last.tsEvent) < 0 ? last.tsEvent : tsEvent, sequence }
      if (comparePositions(place, last) <= 0) place = { ...place, tsEvent: String(BigInt(last.tsEvent) + 1n) }
      last = place
      return place.tsEvent === tsEvent ? row : row.with(2, place.tsEvent)
    })
  }
}
