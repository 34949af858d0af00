import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import type { SequencedEvent, Sequencer } from './sequencer.ts'
import { DISPLACED_NS } from './sequencer.ts'

export type EventsUntil = {
  /** Events up to `at` (ns), oldest first. */
  events: readonly BookEvent[]
  at: bigint
  /** Events of the 5 seconds after `at`; read only if an event waits for its predecessor. */
  following: AsyncIterable<BookEvent> | Iterable<BookEvent>
}

/** `updates`: those that happened up to `at`, in the order of a book. `awaited`: those that follow a later event. */
export type UpdatesUntil = { updates: BookEvent[]; awaited: BookEvent[] }

export async function updatesUntil(
  sequencer: Sequencer,
  { events, at, following }: EventsUntil,
): Promise<UpdatesUntil> {
  const ready = events.flatMap((event) => sequencer.push(event))
  ready.push(...sequencer.release(at - DISPLACED_NS - 1n))
  const read = [...ready.map(({ event }) => event), ...sequencer.waiting()]
  ready.push(...(await releaseUntil(sequencer, at, following)))
  const updates = upTo(at, ready).map(({ event }) => event)
  const applied = new Set(updates.map(({ sequence }) => sequence))
  const awaited = read.filter(({ sequence }) => !applied.has(sequence))
  return { updates, awaited: awaited.toSorted((one, other) => compareNanoseconds(one.tsEvent, other.tsEvent)) }
}

/** The waiting events that happened up to `at`: their predecessors are not among the following events. */
export async function releaseUntil(
  sequencer: Sequencer,
  at: bigint,
  following: EventsUntil['following'],
): Promise<SequencedEvent[]> {
  if (sequencer.waiting().length === 0) return []
  const ready: SequencedEvent[] = []
  for await (const event of following) {
    ready.push(...sequencer.push(event))
    if (sequencer.waiting().length === 0) break
  }
  ready.push(...sequencer.release(at))
  return upTo(at, ready)
}

function upTo(at: bigint, ready: readonly SequencedEvent[]): SequencedEvent[] {
  return ready.filter(({ effectiveTs }) => compareNanoseconds(effectiveTs, String(at)) <= 0)
}
