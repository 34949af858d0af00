import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import type { BookOpening, OrderBook } from './order-book.ts'

/** How long, in event time, an update waits for its predecessor if its own time is earlier than the predecessor's. */
export const DISPLACED_NS = 5_000_000_000n
/** Maximum number of runs that continue without a wait. */
const RUNS_MAX = 1_000

/**
 * Where a replay begins: after the last event of a book. `tsEvent` is the greatest time in it, `runs` the last sequence of
 * each run of events in it.
 */
export type ReplayStart = { tsEvent: string; sequence: bigint; runs?: readonly bigint[]; opening: BookOpening }

/** `tsEvent`: a time up to which the book has all events. Undefined before the first opening event. */
export function startAfter(book: OrderBook, tsEvent: string | undefined): ReplayStart | undefined {
  const [place, opening] = [book.place(), book.opening()]
  if (place === undefined || opening === undefined || tsEvent === undefined) return undefined
  return { tsEvent, sequence: place.sequence, opening }
}

/**
 * An event with the time from which the book contains it: the greatest event time up to it, or the next nanosecond if the
 * event before it has that time and a later sequence. Time and sequence rise with each event.
 */
export type SequencedEvent = { event: BookEvent; effectiveTs: string }

/**
 * Puts the events of a book, which come in the order of their times, into the order in which they are applied.
 *
 * Venues stamp updates a little before the snapshot that they follow: the snapshot has the time of its receipt. Such an
 * update waits for its predecessor. Other updates have none: while older events are imported, these take the sequences
 * between two updates of the live book, and the other way round. They are applied when the wait is over, those that
 * follow them in sequence at once.
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
  let latest = start && { tsEvent: start.tsEvent, sequence: start.sequence }
  let opening = start?.opening
  const runs = createRuns(start && (start.runs ?? [start.sequence]))
  const waiting = new Map<bigint, BookEvent>()

  function take(event: BookEvent): SequencedEvent {
    const effectiveTs = effectiveTsOf(event, latest)
    latest = { tsEvent: effectiveTs, sequence: event.sequence }
    if (event.type !== 'update') {
      opening = { tsEvent: event.tsEvent, sequence: event.sequence, bookEpoch: event.bookEpoch }
      runs.clear()
    }
    runs.add(event.sequence)
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

  function takeWhere(isOver: (event: BookEvent) => boolean): SequencedEvent[] {
    const taken: SequencedEvent[] = []
    for (const event of waiting.values()) {
      if (!isOver(event)) continue
      if (isOf(event, opening)) taken.push(...takeFrom(firstOfRun(waiting, event.sequence)))
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
      else if (!runs.areContinuedBy(event.sequence)) {
        if (canBelong(event, opening)) waiting.set(event.sequence, event)
        return ready
      }
      return [...ready, take(event), ...takeFrom(event.sequence + 1n)]
    },
    release,
    waiting: () => [...waiting.values()],
  }
}

type Latest = Pick<ReplayStart, 'tsEvent' | 'sequence'>

function effectiveTsOf({ type, tsEvent, sequence }: BookEvent, latest: Latest | undefined): string {
  if (latest === undefined || type !== 'update' || compareNanoseconds(tsEvent, latest.tsEvent) > 0) return tsEvent
  return sequence > latest.sequence ? latest.tsEvent : String(BigInt(latest.tsEvent) + 1n)
}

/** The first of the waiting events that are directly before this one in sequence, or itself. */
function firstOfRun(waiting: ReadonlyMap<bigint, BookEvent>, sequence: bigint): bigint {
  let first = sequence
  while (waiting.has(first - 1n)) first -= 1n
  return first
}

/** The last sequence of each run, after updates in the order in which they were applied. */
export function runsAfter(start: ReplayStart | undefined, updates: readonly BookEvent[]): bigint[] {
  const runs = createRuns(start && (start.runs ?? [start.sequence]))
  for (const { sequence } of updates) runs.add(sequence)
  return runs.ends()
}

/** Runs of sequences in a book, by the last one of each: between their events, events of other times were stored. */
function createRuns(start: readonly bigint[] = []) {
  const ends = new Set(start)
  return {
    ends: (): bigint[] => [...ends],
    areContinuedBy: (sequence: bigint): boolean => ends.has(sequence - 1n),
    clear: (): void => ends.clear(),
    add(sequence: bigint): void {
      ends.delete(sequence - 1n)
      ends.add(sequence)
      if (ends.size <= RUNS_MAX) return
      const [oldest = sequence] = ends
      ends.delete(oldest)
    },
  }
}

/** Whether an update belongs to the book, or perhaps to the next one, whose opening event is stamped later. */
function canBelong(event: BookEvent, opening: BookOpening | undefined): boolean {
  return opening === undefined || event.sequence > opening.sequence || isOf(event, opening)
}

/**
 * Whether an update belongs to the book. A later epoch that begins elsewhere in time is another book. Updates that were
 * stored before the opening event belong to it if they happened later: it was imported between them.
 */
function isOf({ tsEvent, sequence, bookEpoch }: BookEvent, opening: BookOpening | undefined): boolean {
  if (opening === undefined) return false
  if (sequence < opening.sequence) return BigInt(tsEvent) - BigInt(opening.tsEvent) > DISPLACED_NS
  return bookEpoch === opening.bookEpoch || compareNanoseconds(tsEvent, opening.tsEvent) >= 0
}
