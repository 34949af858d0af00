import { AppError } from '@tapeline/service/app-error'
import type { Logger } from '@tapeline/service/logger'
import { bookEventOf } from '../book/book-event.ts'
import type { Deps } from '../deps.ts'
import type { InstrumentSpec } from '../instruments/instrument.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { findLatestRow } from '../lake/reading/find-latest-row.ts'
import type { StoredBook } from './book/book-machine.ts'
import { MISSING_MAX } from './book/trade-chain.ts'
import { findHotTradeWithId, listMissingTrades, type StoredTrade } from './connector-queries.ts'
import type { Feed } from './feeds/feed.ts'
import { type FeedSession, type SessionOptions, startFeedSession } from './run/feed-session.ts'
import type { Publisher } from './run/publisher.ts'
import type { RawFrames } from './run/raw-frames.ts'

/** One connection: a feed with instruments. Its name is that of its lease. */
export type FeedPlan = {
  name: string
  feed: Feed
  addresses: Feed['addresses']
  instruments: readonly InstrumentSpec[]
}
export type VenueOptions = Pick<SessionOptions, 'pingEveryMs' | 'firstPauseMs' | 'random'> & {
  publisher: Publisher
  clock: () => string
  raw: RawFrames
  logger: Logger
}

/** Registers the instruments, connects, closes books that an earlier process left open, and requests missing trades. */
export async function startVenue(deps: Deps, plan: FeedPlan, options: VenueOptions): Promise<FeedSession> {
  const ends = []
  for (const instrument of plan.instruments) {
    const instrumentId = await registerInstrument(deps.db, instrument)
    const end = await storedEndOf(deps, { instrumentId, symbol: instrument.symbol }, options)
    // Read after the end: a gap that is stored in between lies after that trade, so that its trades are requested anyway.
    const missing = plan.feed.missedTrades && (await listMissingTrades(deps.db, instrumentId, MISSING_MAX))
    ends.push({ instrument, end, missing })
  }
  const session = startFeedSession({ ...plan, ...options })
  for (const { instrument, end, missing = [] } of ends) {
    const market = session.reader.markets.get(instrument.venueSymbol)
    if (market === undefined) continue
    if (end.lastTrade !== undefined) market.trades.resumeAfter(end.lastTrade.id, end.lastTrade.tsEvent)
    session.handle([session.reader.reopen(market, missing)])
    if (end.book === undefined) continue
    session.handle([session.reader.step(market, market.book.resume(end.book, options.clock()))])
  }
  return session
}

/** Live data does not wait for the bucket of the sealed days. */
async function storedEndOf(
  deps: Deps,
  { instrumentId, symbol }: { instrumentId: number; symbol: string },
  { logger }: VenueOptions,
): Promise<StoredEnd> {
  try {
    return await findStoredEnd(deps, instrumentId)
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    logger.warn({ err, symbol }, 'venue connector: sealed day cannot be read; the gap since it is not recorded')
    return { lastTrade: undefined, book: undefined }
  }
}

/** Where an earlier connector stopped; undefined where nothing is stored. */
export type StoredEnd = {
  /** The trade with the highest id of the venue. */
  lastTrade: { id: number; tsEvent: string } | undefined
  book: StoredBook | undefined
}

/** After an outage of more than a day, the end is in a sealed day. */
export async function findStoredEnd(deps: Deps, instrumentId: number): Promise<StoredEnd> {
  const trade = (await findHotTradeWithId(deps.db, instrumentId)) ?? (await findSealedTrade(deps, instrumentId))
  const id = Number(trade?.id ?? Number.NaN)
  return {
    lastTrade: trade !== undefined && Number.isSafeInteger(id) ? { id, tsEvent: trade.tsEvent } : undefined,
    book: await findStoredBook(deps, instrumentId),
  }
}

async function findStoredBook(deps: Deps, instrumentId: number): Promise<StoredBook | undefined> {
  const row = await findLatestRow(deps, { channel: 'l2_event', instrumentId })
  if (row === undefined) return undefined
  const { gap, tsEvent } = bookEventOf(row)
  return gap === null ? { validUntil: tsEvent } : { openGap: gap }
}

async function findSealedTrade(deps: Deps, instrumentId: number): Promise<StoredTrade | undefined> {
  const row = await findLatestRow(deps, { channel: 'trade', instrumentId })
  if (row === undefined) return undefined
  const [, , tsEvent = '', , , , , hasTradeId, , , sourceId = '', conditions = ''] = row
  if (hasTradeId === 't') return { id: sourceId, tsEvent }
  const id = sourceId.slice(1)
  return conditions.startsWith('aggregate:') && conditions.endsWith(`-${id}`) ? { id, tsEvent } : undefined
}
