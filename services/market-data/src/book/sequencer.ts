import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'

/** How much earlier than the event before it in sequence an event of the same source can be stamped, in event time. */
export const DISPLACED_NS = 5_000_000_000n
/** Maximum number of runs that continue without a wait. */
const RUNS_MAX = 1_000

/** An event with the time from which the book contains it. */
export type SequencedEvent = { event: BookEvent; effectiveTs: string }

/** The last sequence of each run of consecutive events, and the time from which the book contains that event. */
export type Runs = ReadonlyMap<bigint, string>

/**
 * Puts the events of a book, which come in the order of their times, into the order in which they are applied: that of
 * `effectiveTs`, then sequence.
 *
 * A source stamps some events a little before the one that they follow: a snapshot has the time of its receipt. So an
 * event that is up to 5 s earlier than the one before it in sequence is applied directly after it. Any other event is
 * applied at its own time: the one before it in sequence is of another source, such as an import of older events.
 *
 * An event waits until its predecessor comes, or can no longer come, and later events wait with it. Nothing else
 * decides about its time: it is the same wherever a replay begins, and whatever is stored later.
 */
export type Sequencer = {
  /** Returns the events that can be applied now. */
  push: (event: BookEvent) => SequencedEvent[]
  /** Returns the waiting events of this time (ns) or earlier: no event up to 5 s after it is missing. */
  release: (through: bigint) => SequencedEvent[]
  /** Whether an event of this time (ns) or earlier waits. */
  isWaiting: (through: bigint) => boolean
  /** The events that were pushed and not returned. */
  waiting: () => BookEvent[]
}

/** `runs`: events that continue them do not wait. */
export function createSequencer(runs: Runs = new Map()): Sequencer {
  const ends = new Map(runs)
  /** Events that wait for their predecessor, in the order in which they came. */
  const open = new Map<bigint, BookEvent>()
  /** Events whose time is known, in the order in which they are applied. */
  const placed: SequencedEvent[] = []

  /** Places an event, and those that waited for it. */
  function place(first: BookEvent): void {
    for (let event: BookEvent | undefined = first; event !== undefined; event = open.get(event.sequence + 1n)) {
      open.delete(event.sequence)
      const sequenced = { event, effectiveTs: effectiveTsOf(event, ends.get(event.sequence - 1n)) }
      continueRun(ends, sequenced)
      placed.push(sequenced)
    }
  }

  function placeOpen(through: bigint): void {
    const count = placed.length
    for (const event of open.values()) {
      if (BigInt(event.tsEvent) > through) break
      place(firstOfRun(open, event))
    }
    if (placed.length > count) placed.sort(compareSequenced)
  }

  function take(): SequencedEvent[] {
    const [first] = open.values()
    if (first === undefined) return placed.splice(0)
    const end = placed.findIndex((one) => compareSequenced(one, { event: first, effectiveTs: first.tsEvent }) > 0)
    return placed.splice(0, end === -1 ? placed.length : end)
  }

  return {
    push(event) {
      placeOpen(BigInt(event.tsEvent) - DISPLACED_NS - 1n)
      if (ends.has(event.sequence - 1n)) place(event)
      else open.set(event.sequence, event)
      return take()
    },
    release(through) {
      placeOpen(through)
      return take()
    },
    isWaiting(through) {
      const [first] = open.values()
      return first !== undefined && BigInt(first.tsEvent) <= through
    },
    waiting: () => [...placed.map(({ event }) => event), ...open.values()],
  }
}

/** Adds an event to the run that it continues, or begins one. */
export function continueRun(runs: Map<bigint, string>, { event: { sequence }, effectiveTs }: SequencedEvent): void {
  runs.delete(sequence - 1n)
  runs.set(sequence, effectiveTs)
  if (runs.size <= RUNS_MAX) return
  const [oldest = sequence] = runs.keys()
  runs.delete(oldest)
}

function effectiveTsOf({ tsEvent }: BookEvent, before: string | undefined): string {
  if (before === undefined) return tsEvent
  const earlierNs = BigInt(before) - BigInt(tsEvent)
  return earlierNs > 0n && earlierNs <= DISPLACED_NS ? before : tsEvent
}

/** The first of the waiting events that are directly before this one in sequence, or itself. */
function firstOfRun(waiting: ReadonlyMap<bigint, BookEvent>, event: BookEvent): BookEvent {
  let first = event
  for (let before = waiting.get(first.sequence - 1n); before !== undefined; before = waiting.get(first.sequence - 1n)) {
    first = before
  }
  return first
}

function compareSequenced(one: SequencedEvent, other: SequencedEvent): number {
  return compareNanoseconds(one.effectiveTs, other.effectiveTs) || Number(one.event.sequence - other.event.sequence)
}
