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
  /** The lowest epoch of them. A snapshot of this epoch that is stamped up to 5 s later may be the beginning of their book. */
  bookEpoch: number
}

/**
 * Time (ns) of the first stored event after new ones from which on the book does not depend on them; undefined if it is
 * not among the next 10,000 events.
 */
export async function findNextOpening(stores: Stores, events: NewEvents): Promise<string | undefined> {
  const { instrumentId, last, bookEpoch } = events
  const start = BigInt(last) + 1n
  const range = { order: 'asc', start, end: NANOSECONDS_MAX, eventsPerRead: EVENTS_PER_READ } as const
  let examined = 0
  for await (const event of storedEvents(stores, instrumentId, range)) {
    const isOther = event.bookEpoch < bookEpoch || BigInt(event.tsEvent) > start + DISPLACED_NS
    if (event.type !== 'update' && isOther) return event.tsEvent
    examined += 1
    if (examined === EVENTS_MAX) return undefined
  }
  return undefined
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
