import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { compareNanoseconds, NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { RecordBatch } from '../store/record.ts'
import { listPositions } from './position-queries.ts'
import { DISPLACED_NS } from './sequencer.ts'
import { storedEvents } from './stored-events.ts'

const EVENTS_PER_READ = 100
/** The next opening is usually the first event: a recording begins with a snapshot. */
const EVENTS_MAX = 10_000

export type NewEvents = {
  instrumentId: number
  /** Time of the last one. */
  last: string
  /** The lowest epoch of them. If an event of it is up to 5 s later, the new ones may belong after that one. */
  bookEpoch: number
}

/**
 * Time (ns) of the first stored event after new ones from which on the book does not depend on them; undefined if it is
 * not among the next 10,000 events.
 */
export async function findNextOpening(stores: Stores, events: NewEvents): Promise<string | undefined> {
  return (await findNearOpening(stores, events)) ?? findFarOpening(stores, events)
}

async function findNearOpening(
  stores: Stores,
  { instrumentId, last, bookEpoch }: NewEvents,
): Promise<string | undefined> {
  const range = { start: BigInt(last) + 1n, end: nearUntil(last) }
  let opening: string | undefined
  for await (const event of eventsOf(stores, instrumentId, range)) {
    if (event.bookEpoch >= bookEpoch) return undefined
    if (event.type !== 'update') opening ??= event.tsEvent
  }
  return opening
}

async function findFarOpening(stores: Stores, { instrumentId, last }: NewEvents): Promise<string | undefined> {
  let examined = 0
  const range = { start: nearUntil(last), end: NANOSECONDS_MAX }
  for await (const event of eventsOf(stores, instrumentId, range)) {
    if (event.type !== 'update') return event.tsEvent
    examined += 1
    if (examined === EVENTS_MAX) return undefined
  }
  return undefined
}

function nearUntil(last: string): bigint {
  const until = BigInt(last) + DISPLACED_NS + 1n
  return until < NANOSECONDS_MAX ? until : NANOSECONDS_MAX
}

function eventsOf(stores: Stores, instrumentId: number, range: { start: bigint; end: bigint }) {
  return storedEvents(stores, instrumentId, { ...range, order: 'asc', eventsPerRead: EVENTS_PER_READ })
}

/** By instrument: `findNextOpening` of events that will be stored at times whose checkpoints were written already. */
export async function findNextOpenings(
  stores: Stores,
  batches: readonly Pick<RecordBatch, 'instrumentId' | 'l2Events'>[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  const changed = batches.filter(({ l2Events }) => l2Events.length > 0)
  if (changed.length === 0) return found
  const positions = await listPositions(
    stores.pool,
    changed.map(({ instrumentId }) => instrumentId),
  )
  for (const { instrumentId, l2Events } of changed) {
    const position = positions.get(instrumentId)
    const times = l2Events.map(({ tsEvent }) => tsEvent).toSorted(compareNanoseconds)
    const [first = '0', last = '0'] = [times[0], times.at(-1)]
    if (position === undefined || compareNanoseconds(first, position.tsEvent) >= 0) continue
    const opening = await findNextOpening(stores, { instrumentId, last, bookEpoch: position.bookEpoch })
    if (opening !== undefined) found.set(instrumentId, opening)
  }
  return found
}
