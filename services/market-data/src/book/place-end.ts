import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import type { OrderBook } from './order-book.ts'
import { DISPLACED_NS, type SequencedEvent } from './sequencer.ts'

/** A place that cannot end where it should ends here at the latest: a book is rebuilt from 10,000 events at most. */
const EVENTS_MAX = 8_000

/** Where the next checkpoint of a book can be: its readers continue with the events that it does not contain. */
export type PlaceEnd = {
  /** To be called with each event that the book got. */
  add: (one: SequencedEvent) => void
  /** The time (ns) through which the book has its events; undefined before the first one. */
  last: () => string | undefined
  /** Whether a checkpoint can be taken now. `following`: events that were read and belong after it. */
  isAllowed: (following: readonly BookEvent[]) => boolean
  /** To be called when a place has ended. */
  begin: () => void
}

export function createPlaceEnd(book: OrderBook): PlaceEnd {
  let count = 0
  let last: string | undefined
  /** The event of the book with the highest sequence. */
  let leading: SequencedEvent | undefined
  return {
    last: () => last,
    begin: () => {
      count = 0
    },
    add: (one) => {
      count += 1
      last = one.effectiveTs
      const isLower = leading !== undefined && one.event.sequence < leading.event.sequence
      if (one.event.type !== 'update' || !isLower) leading = one
    },
    isAllowed: (following) => {
      const place = book.place()
      if (count >= EVENTS_MAX || book.status() !== 'known' || place === undefined || last === undefined) return true
      return !hides(place.sequence, last, following) && !isBehind(place.sequence, last, leading)
    },
  }
}

/** Whether a reader would take one of the following events for a part of the checkpoint, by its sequence and time. */
function hides(placeSequence: bigint, throughTs: string, following: readonly BookEvent[]): boolean {
  return following.some(
    ({ sequence, tsEvent }) => sequence < placeSequence && compareNanoseconds(tsEvent, throughTs) <= 0,
  )
}

/**
 * Whether the last event waited and was stored before the newest ones of the book: for a reader that starts after it, the
 * next of these would wait.
 */
function isBehind(placeSequence: bigint, throughTs: string, leading: SequencedEvent | undefined): boolean {
  if (leading === undefined || placeSequence >= leading.event.sequence) return false
  return BigInt(throughTs) - BigInt(leading.effectiveTs) <= DISPLACED_NS
}
