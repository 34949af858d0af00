import { AppError } from '@tapeline/service/app-error'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import type { BookEvent } from './book-event.ts'
import { type Checkpoint, findCheckpoint } from './book-queries.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { isExamined } from './position-queries.ts'
import { createSequencer, DISPLACED_NS, runsAfter, startAfter } from './sequencer.ts'
import { endAfter, eventsFollowing, storedEvents } from './stored-events.ts'
import { updatesUntil } from './updates-until.ts'

const EVENTS_PER_READ = 100
/** Maximum number of events from which a book without a checkpoint is rebuilt. */
const EVENTS_MAX = 10_000
/** More events than are examined at once for a checkpoint. */
const EVENTS_UNEXAMINED_MAX = 5_000

export type BookOf = { instrumentId: number; venue: string }

/** A book, and the events up to its moment that belong after it, because they follow an event of a later time. */
export type ReplayedBook = { book: OrderBook; awaited: BookEvent[]; runs: bigint[] }

/**
 * The book after everything that happened up to `at` (ns). Throws `data.unavailable` while its checkpoints are missing.
 */
export async function readBook(stores: Stores, of: BookOf, at: bigint): Promise<ReplayedBook> {
  const { instrumentId, venue } = of
  const { opening, checkpoint, events } = await eventsBefore(stores, instrumentId, at)
  const book = createOrderBook(venue, checkpoint)
  if (opening !== undefined) {
    book.apply(opening)
    events.push(...(await displacedEvents(stores, instrumentId, opening)))
  }
  const start = startAfter(book, opening?.tsEvent ?? checkpoint?.throughTs)
  const sequencer = createSequencer(start)
  const { updates, awaited } = await updatesUntil(sequencer, {
    events: events.toReversed(),
    at,
    following: start === undefined ? [] : eventsFollowing(stores, instrumentId, at),
  })
  for (const event of updates) book.apply(event)
  return { book, awaited, runs: runsAfter(start, updates) }
}

/** Where a book begins, and the events after it, newest first; without a beginning, the book is unknown. */
type OpenedBook = { opening?: BookEvent; checkpoint?: Checkpoint | undefined; events: BookEvent[] }

/** Events from `at` back to the one that opened the book, or to the checkpoint if that is more recent. */
async function eventsBefore(stores: Stores, instrumentId: number, at: bigint): Promise<OpenedBook> {
  const checkpoint = await findCheckpoint(stores.pool, instrumentId, at)
  const events: BookEvent[] = []
  const range = { start: BigInt(checkpoint?.resumeTs ?? 0), end: endAfter(at) }
  for await (const event of eventsBackwards(stores, instrumentId, range)) {
    if (checkpoint !== undefined && contains(checkpoint, event)) continue
    if (event.type === 'update') events.push(event)
    else if (opens(event, checkpoint)) return { opening: event, events }
    if (events.length <= EVENTS_MAX) continue
    if (!(await wereExamined(stores, instrumentId, events.slice(EVENTS_UNEXAMINED_MAX)))) throw notReady()
    return { events: events.filter(({ tsEvent }) => at - BigInt(tsEvent) <= DISPLACED_NS) }
  }
  return { checkpoint, events }
}

/** Whether these events, newest first, have no checkpoint because their book is unknown. */
async function wereExamined({ pool }: Stores, instrumentId: number, events: readonly BookEvent[]): Promise<boolean> {
  const [last = '0', first = '0'] = [events[0]?.tsEvent, events.at(-1)?.tsEvent]
  return isExamined(pool, instrumentId, { first, last })
}

/** Later events have lower sequences if the checkpoint is of a day that was imported after them. */
function contains({ place, throughTs }: Checkpoint, { sequence, tsEvent }: BookEvent): boolean {
  return sequence <= place.sequence && compareNanoseconds(tsEvent, throughTs) <= 0
}

function opens({ tsEvent }: BookEvent, checkpoint: Checkpoint | undefined): boolean {
  return checkpoint === undefined || compareNanoseconds(tsEvent, checkpoint.throughTs) >= 0
}

/** Updates that the opening event precedes in sequence, although they have an earlier time; newest first. */
async function displacedEvents(stores: Stores, instrumentId: number, opening: BookEvent): Promise<BookEvent[]> {
  const end = BigInt(opening.tsEvent)
  const start = end > DISPLACED_NS ? end - DISPLACED_NS : 0n
  const events: BookEvent[] = []
  let older = 0
  for await (const event of eventsBackwards(stores, instrumentId, { start, end })) {
    if (event.type === 'update' && event.sequence > opening.sequence) events.push(event)
    else older += 1
    if (older > EVENTS_PER_READ) break
  }
  return events
}

function eventsBackwards(stores: Stores, instrumentId: number, range: { start: bigint; end: bigint }) {
  return storedEvents(stores, instrumentId, { ...range, order: 'desc', eventsPerRead: EVENTS_PER_READ })
}

function notReady(): AppError {
  return new AppError('data.unavailable', 'The book at this time is being prepared: try again in a minute.')
}
