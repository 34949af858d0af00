import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import type { ReplayStart } from './events-of-book.ts'

/** How long, in event time, an update waits for its predecessor if its own time is earlier than the predecessor's. */
export const DISPLACED_NS = 5_000_000_000n

/** An event with the time from which the book contains it: the greatest event time up to it in the sequence. */
export type SequencedEvent = { event: BookEvent; effectiveTs: string }

/** Puts the events of a book, which come in the order of their times, into the order in which they are applied. */
export type Sequencer = {
  /** Returns the events that can be applied now. */
  push: (event: BookEvent) => SequencedEvent[]
  /** Times of the events that wait for the one before them. */
  waiting: () => string[]
}

export function createSequencer(start?: ReplayStart): Sequencer {
  let last = start
  let waiting: BookEvent[] = []

  function take(event: BookEvent): SequencedEvent {
    const isLater = last === undefined || event.type !== 'update' || compareNanoseconds(event.tsEvent, last.tsEvent) > 0
    const effectiveTs = isLater ? event.tsEvent : (last?.tsEvent ?? event.tsEvent)
    last = { tsEvent: effectiveTs, sequence: event.sequence, bookEpoch: event.bookEpoch }
    return { event, effectiveTs }
  }

  /** Waiting events whose predecessor was applied, or has not come for too long and is of another epoch. */
  function takeWaiting(now: bigint): SequencedEvent[] {
    const taken: SequencedEvent[] = []
    waiting.sort((one, other) => (one.sequence < other.sequence ? -1 : 1))
    waiting = waiting.filter((event) => {
      if (follows(event, last) || (isOther(event, last) && now - BigInt(event.tsEvent) > DISPLACED_NS)) {
        taken.push(take(event))
        return false
      }
      const isFresh = now - BigInt(event.tsEvent) <= DISPLACED_NS
      return last === undefined ? isFresh : event.sequence > last.sequence
    })
    return taken
  }

  return {
    push(event) {
      const now = BigInt(event.tsEvent)
      const isNext = event.type !== 'update' || follows(event, last)
      const ready = isNext ? [take(event)] : []
      if (!isNext) waiting.push(event)
      return waiting.length === 0 ? ready : [...ready, ...takeWaiting(now)]
    },
    waiting: () => waiting.map(({ tsEvent }) => tsEvent),
  }
}

function follows(event: BookEvent, last: ReplayStart | undefined): boolean {
  return last !== undefined && event.bookEpoch === last.bookEpoch && event.sequence === last.sequence + 1n
}

/** Whether the event belongs to an epoch that began elsewhere in time while this book continued. */
function isOther(event: BookEvent, last: ReplayStart | undefined): boolean {
  return last !== undefined && event.bookEpoch > last.bookEpoch
}
