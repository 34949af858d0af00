import { AppError } from '@tapeline/service/app-error'
import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import type { InstrumentSpec } from '../instruments/instrument.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { findStoredEnd, type StoredEnd } from './find-stored-end.ts'
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

/** Registers the instruments, closes books that an earlier process left open, and connects. */
export async function startVenue(deps: Deps, plan: FeedPlan, options: VenueOptions): Promise<FeedSession> {
  const ends = []
  for (const instrument of plan.instruments)
    ends.push({ instrument, end: await storedEndOf(deps, instrument, options) })
  const session = startFeedSession({ ...plan, ...options })
  for (const { instrument, end } of ends) {
    const market = session.reader.markets.get(instrument.venueSymbol)
    if (market === undefined) continue
    if (end.lastTrade !== undefined) market.trades.resumeAfter(end.lastTrade.id, end.lastTrade.tsEvent)
    if (end.book === undefined) continue
    session.handle([session.reader.step(market, market.book.resume(end.book, options.clock()))])
  }
  return session
}

/** Live data does not wait for the bucket of the sealed days. */
async function storedEndOf(deps: Deps, instrument: InstrumentSpec, { logger }: VenueOptions): Promise<StoredEnd> {
  const instrumentId = await registerInstrument(deps.db, instrument)
  try {
    return await findStoredEnd(deps, instrumentId)
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    const { symbol } = instrument
    logger.warn({ err, symbol }, 'venue connector: sealed day cannot be read; the gap since it is not recorded')
    return { lastTrade: undefined, book: undefined }
  }
}
