import { AppError } from '@tapeline/service/app-error'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import { type Checkpoint, findCheckpoint } from './book-queries.ts'
import { eventsUntil } from './events-until.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { isExamined } from './position-queries.ts'
import { continueRun, createSequencer, DISPLACED_NS, type Runs } from './sequencer.ts'
import { endAfter, eventsFollowing, storedEvents } from './stored-events.ts'

const EVENTS_PER_READ = 100
/** Maximum number of events from which a book without a checkpoint is rebuilt. */
const EVENTS_MAX = 10_000
/** More events than are examined at once for a checkpoint. */
const EVENTS_UNEXAMINED_MAX = 5_000
/** From this much after its first event on, a sequencer has the events that an earlier start would have. */
const EXACT_AFTER_NS = 2n * DISPLACED_NS

export type BookOf = { instrumentId: number; venue: string }

/** A book, and the events up to its moment that belong after it, because they follow an event of a later time. */
export type ReplayedBook = { book: OrderBook; awaited: BookEvent[]; runs: Runs }

/**
 * The book after everything that happened up to `at` (ns). Throws `data.unavailable` while its checkpoints are missing.
 */
export async function readBook(stores: Stores, of: BookOf, at: bigint): Promise<ReplayedBook> {
  const { instrumentId, venue } = of
  const { checkpoint, events, runs } = await eventsBefore(stores, instrumentId, at)
  const book = createOrderBook(venue, checkpoint)
  const { applied, awaited } = await eventsUntil(createSequencer(runs), {
    events,
    at,
    following: eventsFollowing(stores, instrumentId, at),
  })
  for (const one of applied) {
    book.apply(one.event)
    continueRun(runs, one)
  }
  return { book, awaited, runs }
}

/** Events with which a book is rebuilt, oldest first: after a checkpoint, or from some before the one that opens it. */
type EventsOfBook = { checkpoint?: Checkpoint | undefined; events: BookEvent[]; runs: Map<bigint, string> }

async function eventsBefore(stores: Stores, instrumentId: number, at: bigint): Promise<EventsOfBook> {
  const checkpoint = await findCheckpoint(stores.pool, instrumentId, at)
  const { from, through, runs, contains } = startAfter(checkpoint)
  const events: BookEvent[] = []
  let neededFrom: bigint | undefined
  for await (const event of eventsBackwards(stores, instrumentId, { start: from, end: endAfter(at) })) {
    if (contains(event)) continue
    const time = BigInt(event.tsEvent)
    if (neededFrom !== undefined && time < neededFrom && time > through) {
      return { events: events.toReversed(), runs: new Map() }
    }
    events.push(event)
    if (opensBefore(at, event)) neededFrom ??= time - EXACT_AFTER_NS
    else if (neededFrom === undefined && events.length > EVENTS_MAX) {
      return unknownBook(stores, instrumentId, { events, at })
    }
  }
  return { checkpoint, events: events.toReversed(), runs }
}

/** What a checkpoint contains, and from which time on there are events that it does not. */
function startAfter(checkpoint: Checkpoint | undefined) {
  if (checkpoint === undefined)
    return { from: 0n, through: -1n, runs: new Map<bigint, string>(), contains: () => false }
  const { place, throughTs, resumeTs, awaited } = checkpoint
  return {
    from: BigInt(resumeTs),
    through: BigInt(throughTs),
    runs: new Map([[place.sequence, throughTs]]),
    contains: ({ sequence, tsEvent }: BookEvent): boolean => {
      if (compareNanoseconds(tsEvent, throughTs) > 0) return false
      // Version 0.2.1 and earlier ones did not list what a checkpoint awaits.
      return awaited === undefined ? sequence <= place.sequence : !awaited.has(sequence)
    },
  }
}

/** Whether the book at `at` contains this event, which opens it, even if the event had to wait for its predecessor. */
function opensBefore(at: bigint, { type, tsEvent }: BookEvent): boolean {
  return type !== 'update' && BigInt(tsEvent) < at - DISPLACED_NS
}

type TooMany = { events: readonly BookEvent[]; at: bigint }

/** Without an event that opens it among too many events, newest first. */
async function unknownBook(stores: Stores, instrumentId: number, { events, at }: TooMany): Promise<EventsOfBook> {
  if (!(await wereExamined(stores, instrumentId, events.slice(EVENTS_UNEXAMINED_MAX)))) {
    throw new AppError('data.unavailable', 'The book at this time is being prepared: try again in a minute.')
  }
  const recent = events.filter(({ tsEvent }) => at - BigInt(tsEvent) <= EXACT_AFTER_NS)
  return { events: recent.toReversed(), runs: new Map() }
}

/** Whether these events, newest first, have no checkpoint because their book is unknown. */
async function wereExamined({ pool }: Stores, instrumentId: number, events: readonly BookEvent[]): Promise<boolean> {
  const [last = '0', first = '0'] = [events[0]?.tsEvent, events.at(-1)?.tsEvent]
  return isExamined(pool, instrumentId, { first, last })
}

function eventsBackwards(stores: Stores, instrumentId: number, range: { start: bigint; end: bigint }) {
  return storedEvents(stores, instrumentId, { ...range, order: 'desc', eventsPerRead: EVENTS_PER_READ })
}
