import type { UserActor } from '@tapeline/contracts/actor'
import { type Book, BOOK_DEPTH_DEFAULT, type BookAnswer, type ReadBook } from '@tapeline/contracts/market-data/book'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { selectInstruments } from '../instruments/select-instruments.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { compareNanoseconds, nanosecondsOf, parseTime } from '../nanoseconds.ts'
import { checkMoment } from '../records/check-history.ts'
import { invalid } from '../records/filter.ts'
import { type FormatTime, formatTimeAs } from '../records/render-record.ts'
import { findNextGap } from './book-queries.ts'
import type { BookGap, OrderBook } from './order-book.ts'
import { readBook } from './read-book.ts'
import { storedEvents } from './stored-events.ts'

/**
 * A book at one moment, or the gap that makes it unknown.
 * @throws AppError filter.invalid
 */
export async function showBook(deps: Deps, actor: UserActor, input: ReadBook, requestId: string): Promise<BookAnswer> {
  const now = deps.now()
  const at = input.at === undefined ? nanosecondsOf(now) : parseTime(input.at)
  if (at === undefined) throw invalid('/at', 'timestamp')
  checkMoment(deps, actor, at, now)
  const selection = { venues: [input.venue.toLowerCase()], symbols: [input.symbol.toUpperCase()] }
  const [instrument] = selectInstruments(await deps.instruments.list(), actor, selection).instruments
  if (instrument === undefined) throw invalid('/symbol', 'knownInstrument')
  const { book } = await readBook(deps, instrument, at)
  const gap = await gapAt(deps, instrument, book, at)
  const format = formatTimeAs(input.time_format ?? 'rfc3339')
  const depth = input.depth ?? BOOK_DEPTH_DEFAULT
  return { data: presentBook({ instrument, book, gap, at }, depth, format), request_id: requestId }
}

type Unknown = { reason: string; fromTs: string | null; toTs: string | null }

/** Why the book is unknown at this moment; undefined when it is known. */
async function gapAt(
  deps: Deps,
  { instrumentId }: RegisteredInstrument,
  book: OrderBook,
  at: bigint,
): Promise<Unknown | undefined> {
  const opening = book.opening()
  if (book.status() === 'empty' || opening === undefined) return { reason: 'no_snapshot', fromTs: null, toTs: null }
  if (book.status() === 'unknown') return book.gap()
  const next = await findNextGap(deps.pool, instrumentId, at)
  if (next === undefined || !isLostAt(next, at)) return undefined
  // A book that was opened inside of the gap, by an import, is known until its last event.
  const isOpenedInside = compareNanoseconds(opening.tsEvent, next.fromTs) > 0
  return isOpenedInside && (await hasEvents(deps, instrumentId, { start: at + 1n, end: BigInt(next.toTs) }))
    ? undefined
    : next
}

/** Messages are missing from the last event before a gap on, although the gap was detected later. */
function isLostAt(gap: BookGap, at: bigint): gap is BookGap & { fromTs: string } {
  return gap.fromTs !== null && at > BigInt(gap.fromTs)
}

async function hasEvents(
  stores: Stores,
  instrumentId: number,
  range: { start: bigint; end: bigint },
): Promise<boolean> {
  if (range.start >= range.end) return false
  const { done } = await storedEvents(stores, instrumentId, { ...range, order: 'asc', eventsPerRead: 1 }).next()
  return done !== true
}

type Shown = { instrument: RegisteredInstrument; book: OrderBook; gap: Unknown | undefined; at: bigint }

function presentBook({ instrument, book, gap, at }: Shown, depth: number, format: FormatTime): Book {
  const { venue, symbol, venueSymbol, instrumentId, channels } = instrument
  const place = book.place()
  const isKnown = gap === undefined
  const levels = isKnown ? book.top(depth) : { bids: [], asks: [] }
  const time = (nanoseconds: string | null | undefined) => (nanoseconds ? format(nanoseconds) : null)
  return {
    venue,
    symbol,
    venue_symbol: venueSymbol,
    instrument_id: instrumentId,
    at: format(String(at)),
    state: isKnown ? 'known' : 'unknown',
    sequence: place === undefined ? null : String(place.sequence),
    book_epoch: place?.bookEpoch ?? null,
    ts_event: time(place?.tsEvent),
    ts_recv: time(place?.tsRecv),
    depth_limit: book.depthLimit(),
    bids: levels.bids.map(([price, size]) => [price, size]),
    asks: levels.asks.map(([price, size]) => [price, size]),
    levels: isKnown ? book.size() : 0,
    gap: gap === undefined ? null : { reason: gap.reason, from_ts: time(gap.fromTs), to_ts: time(gap.toTs) },
    complete_through: time(channels.l2_event.completeThrough),
  }
}
