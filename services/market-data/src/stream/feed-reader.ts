import type { Row } from '../records/record-queries.ts'
import type { Feed } from './live-feed.ts'
import { comparePositions, type Position, positionOfRow, sequenceOfRow } from './position.ts'

/**
 * The position of one subscription in one feed. Before it is live it reads the store, which may be ahead of the feed:
 * records that it has already sent are recognized by their sequence.
 */
export class FeedReader {
  readonly feed: Feed
  /** Position of the last record that was delivered or did not match the filter. */
  position: Position
  /** Records up to this sequence with an earlier position existed before the subscription: they are not late. */
  private readonly existingThrough: number
  /** Sequences that were read from the store before the feed had them. */
  private readonly ahead = new Set<number>()
  private aheadThrough = 0

  constructor(feed: Feed, position: Position, existingThrough: number) {
    this.feed = feed
    this.position = position
    this.existingThrough = existingThrough
  }

  /** `feedSequence`: the feed's last one before the store was read and late rows were buffered. */
  addStored(row: Row, feedSequence: number): void {
    this.position = positionOfRow(row)
    const sequence = sequenceOfRow(row)
    if (sequence <= feedSequence) return
    this.ahead.add(sequence)
    this.aheadThrough = Math.max(this.aheadThrough, sequence)
  }

  isBefore(row: Row): boolean {
    return comparePositions(positionOfRow(row), this.position) <= 0
  }

  /** For a row before the position: whether it has not been delivered. */
  isLate(row: Row): boolean {
    const sequence = sequenceOfRow(row)
    return sequence > this.existingThrough && !this.ahead.has(sequence)
  }

  /** Drops records that the feed has delivered in the meantime. */
  clearAhead(): void {
    if (this.ahead.size > 0 && this.feed.lastSequence >= this.aheadThrough) this.ahead.clear()
  }
}
