import type { UserActor } from '@tapeline/contracts/actor'
import { type ListQuotes, QUOTE_INSTRUMENTS_MAX } from '@tapeline/contracts/market-data/quotes'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import { gapsIn, spanFrom } from '../records/coverage.ts'
import type { Key } from '../records/cursor.ts'
import { invalid, type Order, requestedFilter } from '../records/filter.ts'
import { sharedEnd } from '../records/list-records.ts'
import { nextCursorOf, openPageRequest, SHORT_PAGE, type PageRequest } from '../records/page-request.ts'
import { type RenderedPage, renderPageEnd } from '../records/render-page.ts'
import { formatTimeAs } from '../records/render-record.ts'
import { compareKeys } from '../records/row-key.ts'
import { presentQuote } from './present-quote.ts'
import type { BookQuote } from './quote-builder.ts'
import { type FoundQuotes, keyOfQuote, type QuoteRange, readQuotes } from './read-quotes.ts'
import { readQuotesBack } from './read-quotes-back.ts'

type InstrumentQuote = { instrument: RegisteredInstrument; quote: BookQuote; key: Key }
type QuoteRows = { rows: InstrumentQuote[]; reached: Key | undefined; hasMore: boolean; isShort: boolean }

/**
 * The next page of quotes, in the order (ts_event, instrument, sequence).
 * @throws AppError filter.invalid
 */
export async function listQuotes(
  deps: Deps,
  actor: UserActor,
  input: ListQuotes,
  requestId: string,
): Promise<RenderedPage> {
  const requested = requestedFilter(input)
  const request = await openPageRequest(deps, actor, { channel: 'quote', source: 'l2_event', body: input, requested })
  const { filter, instruments, isOpen } = request
  if (instruments.length > QUOTE_INSTRUMENTS_MAX) {
    throw invalid('/symbols', 'maxInstruments', String(QUOTE_INSTRUMENTS_MAX))
  }
  const { rows, reached, hasMore, isShort } = await quotesOf(deps, request)
  const nextCursor =
    hasMore || isOpen ? nextCursorOf(deps, request, { after: reached, floors: floorsBeyond(request, reached) }) : null
  const warnings = isShort ? [...request.warnings, SHORT_PAGE] : request.warnings
  const format = formatTimeAs(filter.time_format)
  const page = { filter, instruments, nextCursor, hasMore, warnings }
  const span = spanFrom(filter, request.cursor.after)
  const gaps = await gapsIn(deps.pool, 'l2_event', { instruments, filter, span })
  const end = renderPageEnd(page, { channel: 'l2_event', gaps, requestId })
  const data = rows.map(({ instrument, quote }) => presentQuote(instrument, quote, format))
  return { json: `{"data":${JSON.stringify(data)},${end}`, rows: rows.length }
}

async function quotesOf(deps: Deps, request: PageRequest): Promise<QuoteRows> {
  const { cursor, filter, instruments } = request
  const { limit, after, floors } = cursor
  const { order } = filter
  const read = order === 'asc' ? readQuotes : readQuotesBack
  const parts: { instrument: RegisteredInstrument; found: FoundQuotes }[] = []
  for (const instrument of instruments) {
    // One more than the page, plus the quotes that have the cursor's time.
    const place = floors?.find(({ instrumentId }) => instrumentId === instrument.instrumentId) ?? after
    const range = rangeOf(request, place)
    const found = await readBeyond(place, limit, (count) => read(deps, instrument, range, count))
    parts.push({ instrument, found })
  }
  return merge(parts, { order, after, limit, floors })
}

/** Quotes with the cursor's time are read again and skipped, so more than a page may have to be read. */
async function readBeyond(
  after: Key | undefined,
  limit: number,
  read: (count: number) => Promise<FoundQuotes>,
): Promise<FoundQuotes> {
  for (let count = limit + 1; ; count *= 4) {
    const found = await read(count)
    const atCursor = after === undefined ? [] : found.quotes.filter(({ tsEvent }) => tsEvent === after.tsEvent)
    if (found.quotes.length - atCursor.length > limit || found.quotes.length <= count) return found
  }
}

function rangeOf({ filter, instruments, isOpen, now }: PageRequest, after: Key | undefined): QuoteRange {
  const shared = isOpen ? sharedEnd(instruments, 'l2_event', filter, now) : {}
  const { start = '0', end = String(NANOSECONDS_MAX) } = { ...filter, ...shared }
  if (after === undefined) return { from: BigInt(start), until: BigInt(end) }
  const at = BigInt(after.tsEvent)
  if (filter.order === 'asc') return { from: at, until: BigInt(end) }
  return { from: BigInt(start), until: at + 1n < BigInt(end) ? at + 1n : BigInt(end) }
}

/** Positions of a stream's cursor that the pages have not reached yet. */
function floorsBeyond({ cursor: { floors } }: PageRequest, reached: Key | undefined): Key[] | undefined {
  return floors?.filter((floor) => reached === undefined || compareKeys(floor, reached) > 0)
}

type Merging = { order: Order; after: Key | undefined; limit: number; floors: readonly Key[] | undefined }

/** Merges the quotes of all instruments, up to the time that was read for each of them. */
function merge(
  parts: { instrument: RegisteredInstrument; found: FoundQuotes }[],
  { order, after, limit, floors = [] }: Merging,
): QuoteRows {
  const direction = order === 'asc' ? 1 : -1
  const compare = (one: Key, other: Key) => direction * compareKeys(one, other)
  const frontier = parts.flatMap(({ found }) => found.reached ?? []).toSorted(compare)[0]
  const rows = parts
    .flatMap(({ instrument, found }) =>
      found.quotes.map((quote) => ({ instrument, quote, key: keyOfQuote(instrument.instrumentId, quote) })),
    )
    .filter(({ key }) => after === undefined || compare(key, after) > 0)
    .filter(({ key }) => !floors.some((floor) => floor.instrumentId === key.instrumentId && compare(key, floor) <= 0))
    .filter(({ key }) => frontier === undefined || compare(key, frontier) <= 0)
    .toSorted((one, other) => compare(one.key, other.key))
  const page = rows.slice(0, limit)
  if (rows.length > limit) return { rows: page, reached: page.at(-1)?.key, hasMore: true, isShort: false }
  if (frontier !== undefined) return { rows: page, reached: frontier, hasMore: true, isShort: true }
  return { rows: page, reached: page.at(-1)?.key ?? after, hasMore: false, isShort: false }
}
