import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import { DISPLACED_NS, type SequencedEvent, type Sequencer } from './sequencer.ts'

export type EventsUntil = {
  /** Events up to `at` (ns), oldest first. */
  events: readonly BookEvent[]
  at: bigint
  /** Events of the 5 seconds after `at`; read only if an event waits for its predecessor. */
  following: AsyncIterable<BookEvent> | Iterable<BookEvent>
}

/** `applied`: those that the book contains at `at`, in its order. `awaited`: the others, oldest first. */
export type AppliedEvents = { applied: SequencedEvent[]; awaited: BookEvent[] }

export async function eventsUntil(
  sequencer: Sequencer,
  { events, at, following }: EventsUntil,
): Promise<AppliedEvents> {
  const ready = events.flatMap((event) => sequencer.push(event))
  ready.push(...sequencer.release(at - DISPLACED_NS - 1n))
  ready.push(...(await releaseUntil(sequencer, at, following)))
  const applied = upTo(at, ready)
  const sequences = new Set(applied.map(({ event }) => event.sequence))
  return { applied, awaited: events.filter(({ sequence }) => !sequences.has(sequence)) }
}

/** The waiting events that the book contains at `at`: their predecessors are not among the following events. */
export async function releaseUntil(
  sequencer: Sequencer,
  at: bigint,
  following: EventsUntil['following'],
): Promise<SequencedEvent[]> {
  if (!sequencer.isWaiting(at)) return []
  const ready: SequencedEvent[] = []
  for await (const event of following) {
    ready.push(...sequencer.push(event))
    if (!sequencer.isWaiting(at)) break
  }
  ready.push(...sequencer.release(at))
  return upTo(at, ready)
}

function upTo(at: bigint, ready: readonly SequencedEvent[]): SequencedEvent[] {
  return ready.filter(({ effectiveTs }) => compareNanoseconds(effectiveTs, String(at)) <= 0)
}
