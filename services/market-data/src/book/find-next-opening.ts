import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import { DISPLACED_NS } from './sequencer.ts'
import { storedEvents } from './stored-events.ts'

const EVENTS_PER_READ = 100
/** The next opening is usually the first event: a recording begins with a snapshot. */
const EVENTS_MAX = 10_000

export type NewEvents = {
  instrumentId: number
  last: string
  /** Whether the first of them begins an epoch. Otherwise they may continue the book of a snapshot that is stamped later. */
  isOpening: boolean
}

/**
 * Time (ns) of the first stored event after new ones from which on the book does not depend on them; undefined if it is
 * not among the next 10,000 events.
 */
export async function findNextOpening(stores: Stores, events: NewEvents): Promise<string | undefined> {
  const { instrumentId, last, isOpening } = events
  const start = BigInt(last) + 1n + (isOpening ? 0n : DISPLACED_NS)
  const range = { order: 'asc', start, end: NANOSECONDS_MAX, eventsPerRead: EVENTS_PER_READ } as const
  let examined = 0
  for await (const { type, tsEvent } of storedEvents(stores, instrumentId, range)) {
    if (type !== 'update') return tsEvent
    examined += 1
    if (examined === EVENTS_MAX) return undefined
  }
  return undefined
}
