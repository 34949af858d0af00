import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'

/** Where a replay begins: an event that opened the book, or a checkpoint. `tsEvent` is the greatest time in it. */
export type ReplayStart = { tsEvent: string; sequence: bigint; bookEpoch: number }

/**
 * The updates to apply after `start`, in the order of their sequences, out of events that happened up to a moment.
 *
 * Venues stamp updates a little before the snapshot that they follow: the snapshot has the time of its receipt. Such
 * updates belong to the same epoch and come later in sequence. An update whose predecessor is missing here happened
 * after an update of a later time: the book ends before it, because it never existed without the predecessor.
 */
export function updatesAfter(start: ReplayStart, events: readonly BookEvent[]): BookEvent[] {
  const following = events
    .filter((event) => event.type === 'update' && event.sequence > start.sequence && isAfter(event, start))
    .toSorted((one, other) => (one.sequence < other.sequence ? -1 : 1))
  let previous = start
  const end = following.findIndex((event) => {
    const isMissing = event.bookEpoch === previous.bookEpoch && event.sequence !== previous.sequence + 1n
    previous = event
    return isMissing
  })
  return end === -1 ? following : following.slice(0, end)
}

/** A later epoch that begins elsewhere in time, such as an import of older data, is another book. */
function isAfter(event: BookEvent, start: ReplayStart): boolean {
  return event.bookEpoch === start.bookEpoch || compareNanoseconds(event.tsEvent, start.tsEvent) >= 0
}
