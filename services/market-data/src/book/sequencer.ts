import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import type { BookOpening, OrderBook } from './order-book.ts'

/** How long, in event time, an update waits for its predecessor if its own time is earlier than the predecessor's. */
export const DISPLACED_NS = 5_000_000_000n

/** Where a replay begins: after the last event of a book. `tsEvent` is the greatest time in it. */
export type ReplayStart = { tsEvent: string; sequence: bigint; opening: BookOpening }

/** `tsEvent`: a time up to which the book has all events. Undefined before the first opening event. */
export function startAfter(book: OrderBook, tsEvent: string | undefined): ReplayStart | undefined {
  const [place, opening] = [book.place(), book.opening()]
  if (place === undefined || opening === undefined || tsEvent === undefined) return undefined
  return { tsEvent, sequence: place.sequence, opening }
}

/** An event with the time from which the book contains it: the greatest event time up to it in the sequence. */
export type SequencedEvent = { event: BookEvent; effectiveTs: string }

/**
 * Puts the events of a book, which come in the order of their times, into the order in which they are applied.
 *
 * Venues stamp updates a little before the snapshot that they follow: the snapshot has the time of its receipt. Such an
 * update waits for its predecessor. Other updates have none: while older events are imported, these take the sequences
 * between two updates of the live book, and the other way round. They are applied when the wait is over.
 */
export type Sequencer = {
  /** Returns the events that can be applied now. */
  push: (event: BookEvent) => SequencedEvent[]
  /** Returns the waiting events of this time (ns) or earlier: no event up to 5 s after it is missing. */
  release: (through: bigint) => SequencedEvent[]
  /** Events that wait for the one before them, in the order of their times. */
  waiting: () => BookEvent[]
}

export function createSequencer(start?: ReplayStart): Sequencer {
  let last: Pick<ReplayStart, 'tsEvent' | 'sequence'> | undefined = start
  let opening = start?.opening
  const waiting = new Map<bigint, BookEvent>()

  function take(event: BookEvent): SequencedEvent {
    const isLater = last === undefined || event.type !== 'update' || compareNanoseconds(event.tsEvent, last.tsEvent) > 0
    const effectiveTs = isLater ? event.tsEvent : (last?.tsEvent ?? event.tsEvent)
    last = { tsEvent: effectiveTs, sequence: event.sequence }
    if (event.type !== 'update')
      opening = { tsEvent: event.tsEvent, sequence: event.sequence, bookEpoch: event.bookEpoch }
    return { event, effectiveTs }
  }

  function takeFrom(sequence: bigint): SequencedEvent[] {
    const taken: SequencedEvent[] = []
    for (let next = waiting.get(sequence); next !== undefined; next = waiting.get(next.sequence + 1n)) {
      waiting.delete(next.sequence)
      taken.push(take(next))
    }
    return taken
  }

  /** Takes a waiting event with those directly before and after it in the sequence. */
  function takeRun({ sequence }: BookEvent): SequencedEvent[] {
    let first = sequence
    while (waiting.has(first - 1n)) first -= 1n
    return takeFrom(first)
  }

  function takeWhere(isOver: (event: BookEvent) => boolean): SequencedEvent[] {
    const taken: SequencedEvent[] = []
    for (const event of waiting.values()) {
      if (!isOver(event)) continue
      if (isOf(event, opening)) taken.push(...takeRun(event))
      else waiting.delete(event.sequence)
    }
    return taken
  }

  function release(through: bigint): SequencedEvent[] {
    const [first] = waiting.values()
    if (first === undefined || BigInt(first.tsEvent) > through) return []
    return takeWhere(({ tsEvent }) => BigInt(tsEvent) <= through)
  }

  return {
    push(event) {
      const ready = release(BigInt(event.tsEvent) - DISPLACED_NS - 1n)
      if (event.type !== 'update') ready.push(...takeWhere((one) => !isOf(one, event)))
      else if (event.sequence !== (last && last.sequence + 1n)) {
        if (event.sequence > (opening?.sequence ?? 0n)) waiting.set(event.sequence, event)
        return ready
      }
      return [...ready, take(event), ...takeFrom(event.sequence + 1n)]
    },
    release,
    waiting: () => [...waiting.values()],
  }
}

/** Whether an update belongs to the book. A later epoch that begins elsewhere in time is another book. */
function isOf({ tsEvent, sequence, bookEpoch }: BookEvent, opening: BookOpening | undefined): boolean {
  if (opening === undefined || sequence <= opening.sequence) return false
  return bookEpoch === opening.bookEpoch || compareNanoseconds(tsEvent, opening.tsEvent) >= 0
}
