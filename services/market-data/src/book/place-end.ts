import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import type { OrderBook } from './order-book.ts'
import type { SequencedEvent } from './sequencer.ts'

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
  return {
    last: () => last,
    begin: () => {
      count = 0
    },
    add: ({ effectiveTs }) => {
      count += 1
      last = effectiveTs
    },
    isAllowed: (following) => {
      const place = book.place()
      if (count >= EVENTS_MAX || book.status() !== 'known' || place === undefined || last === undefined) return true
      return !hides(place.sequence, last, following)
    },
  }
}

/** Whether a reader would take one of the following events for a part of the checkpoint, by its sequence and time. */
function hides(placeSequence: bigint, throughTs: string, following: readonly BookEvent[]): boolean {
  return following.some(
    ({ sequence, tsEvent }) => sequence < placeSequence && compareNanoseconds(tsEvent, throughTs) <= 0,
  )
}
