import { AppError } from '@tapeline/service/app-error'
import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import { compareNanoseconds, NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { Key } from '../records/cursor.ts'
import { keyOfRow } from '../records/row-key.ts'
import type { Scan } from '../records/scan.ts'
import { type BookEvent, bookEventOf } from './book-event.ts'
import { type Checkpoint, findCheckpoint } from './book-queries.ts'
import { type ReplayStart, updatesAfter } from './events-of-book.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { DISPLACED_NS } from './sequencer.ts'

const EVENTS_PER_READ = 100
/** Maximum number of events from which a book without a checkpoint is rebuilt. */
const EVENTS_MAX = 10_000

export type BookOf = { instrumentId: number; venue: string }

/** A book, and the earliest time of an event that belongs after it. */
export type ReplayedBook = { book: OrderBook; resumeTs: string }

/**
 * The book after everything that happened up to `at` (ns). Throws `data.unavailable` while its checkpoints are missing.
 */
export async function readBook(stores: Stores, of: BookOf, at: bigint): Promise<ReplayedBook> {
  const { instrumentId, venue } = of
  const checkpoint = await findCheckpoint(stores.pool, instrumentId, at)
  const { opening, events } = await eventsBefore(stores, { instrumentId, at, checkpoint })
  if (opening !== undefined) {
    const book = createOrderBook(venue)
    book.apply(opening)
    const displaced = await displacedEvents(stores, instrumentId, opening)
    return replay(book, { start: opening, events: [...events, ...displaced], at })
  }
  const book = createOrderBook(venue, checkpoint)
  if (checkpoint === undefined) return { book, resumeTs: String(at + 1n) }
  return replay(book, { start: { ...checkpoint.place, tsEvent: checkpoint.throughTs }, events, at })
}

type Replay = { start: ReplayStart; events: readonly BookEvent[]; at: bigint }

function replay(book: OrderBook, { start, events, at }: Replay): ReplayedBook {
  const updates = updatesAfter(start, events)
  for (const event of updates) book.apply(event)
  const last = updates.at(-1) ?? start
  const waiting = events.filter(({ bookEpoch, sequence }) => bookEpoch === last.bookEpoch && sequence > last.sequence)
  const times = [String(at + 1n), ...waiting.map(({ tsEvent }) => tsEvent)]
  return { book, resumeTs: times.toSorted(compareNanoseconds)[0] ?? '0' }
}

type Before = { instrumentId: number; at: bigint; checkpoint: Checkpoint | undefined }
type OpenedBook = { opening: BookEvent | undefined; events: BookEvent[] }

/** Events from `at` back to the one that opened the book, or to the checkpoint if that is more recent. */
async function eventsBefore(stores: Stores, { instrumentId, at, checkpoint }: Before): Promise<OpenedBook> {
  const events: BookEvent[] = []
  const range = { instrumentId, start: checkpoint?.resumeTs ?? '0', end: endAfter(at) }
  for await (const event of eventsBackwards(stores, range)) {
    const isKept = checkpoint !== undefined && contains(checkpoint, event)
    if (!isKept && event.type !== 'update' && opens(event, checkpoint)) return { opening: event, events }
    if (!isKept) events.push(event)
    if (events.length > EVENTS_MAX) throw notReady()
  }
  return { opening: undefined, events }
}

/** The exclusive end of a range that includes `at`, unless `at` is the largest time. */
function endAfter(at: bigint): string {
  return String(at < NANOSECONDS_MAX ? at + 1n : at)
}

/** Later events have lower sequences if the checkpoint is of a day that was imported after them. */
function contains({ place, throughTs }: Checkpoint, { sequence, tsEvent }: BookEvent): boolean {
  return sequence <= place.sequence && compareNanoseconds(tsEvent, throughTs) <= 0
}

function opens({ tsEvent }: BookEvent, checkpoint: Checkpoint | undefined): boolean {
  return checkpoint === undefined || compareNanoseconds(tsEvent, checkpoint.throughTs) >= 0
}

type Range = { instrumentId: number; start: string; end: string }

async function* eventsBackwards(stores: Stores, { instrumentId, start, end }: Range): AsyncGenerator<BookEvent> {
  let after: Key | undefined
  for (;;) {
    const filter = { order: 'desc', time_format: 'unix_ns', start, end } as const
    const scan: Scan = { channel: 'l2_event', instrumentIds: [instrumentId], filter, after }
    const limits = { limit: EVENTS_PER_READ, scanMax: Number.MAX_SAFE_INTEGER }
    const { rows, frontier } = await listStoredRows(stores, scan, limits)
    for (const row of rows) yield bookEventOf(row)
    const last = rows.at(-1)
    if (rows.length < EVENTS_PER_READ && frontier === undefined) return
    after = frontier ?? (last && keyOfRow(last))
  }
}

async function displacedEvents(stores: Stores, instrumentId: number, opening: BookEvent): Promise<BookEvent[]> {
  const from = BigInt(opening.tsEvent) - DISPLACED_NS
  const range = { instrumentId, start: String(from < 0n ? 0n : from), end: opening.tsEvent }
  const events: BookEvent[] = []
  for await (const event of eventsBackwards(stores, range)) {
    if (event.sequence > opening.sequence) events.push(event)
    else if (event.sequence < opening.sequence - BigInt(EVENTS_PER_READ)) break
  }
  return events
}

function notReady(): AppError {
  return new AppError('data.unavailable', 'The book at this time is being prepared: try again in a minute.')
}
