import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import type { OrderBook } from './order-book.ts'
import type { SequencedEvent } from './sequencer.ts'

/** Events after which a checkpoint is taken in any case: a book is rebuilt from at most 10,000 events. */
const EVENTS_MAX = 8_000

/** Decides when the next checkpoint of a book can be taken. Its readers continue with the events that it does not contain. */
export type PlaceEnd = {
  /** Call it with each event that was applied to the book. */
  add: (one: SequencedEvent) => void
  /** Time (ns) of the last applied event; undefined before the first one. */
  last: () => string | undefined
  /** Whether a checkpoint can be taken now. `following`: events that were read and belong after it. */
  isAllowed: (following: readonly BookEvent[]) => boolean
  /** Call it after each checkpoint. */
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
