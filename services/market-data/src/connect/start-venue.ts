import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import type { InstrumentSpec } from '../instruments/instrument.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { findStoredEnd } from './connector-queries.ts'
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
  for (const instrument of plan.instruments) {
    ends.push({ instrument, end: await findStoredEnd(deps.db, await registerInstrument(deps.db, instrument)) })
  }
  const session = startFeedSession({ ...plan, ...options })
  for (const { instrument, end } of ends) {
    const market = session.reader.markets.get(instrument.venueSymbol)
    if (market === undefined) continue
    if (end.lastTrade !== undefined) market.trades.resumeAfter(end.lastTrade.id, end.lastTrade.tsEvent)
    if (end.bookValidUntil === undefined) continue
    session.handle([session.reader.step(market, market.book.resumeAfter(end.bookValidUntil, options.clock()))])
  }
  return session
}
