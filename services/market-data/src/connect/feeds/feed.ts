import type { InstrumentSpec } from '../../instruments/instrument.ts'
import type { TradeRecord } from '../../store/record.ts'
import type { BookSnapshot, BookUpdate, JoinRule } from '../../venues/book-messages.ts'
import type { PriceLevels } from '../../venues/price-levels.ts'

/** Ids that were not received, both ends included; `since` is the event time of the trade before them. */
export type MissingIds = { from: number; to: number; since: string }
/** Missing ids before a trade that was received; `until` is its event time. */
export type Hole = MissingIds & { until: string }

/** One market of one venue, with its own addresses and rules. */
export const FEED_NAMES = ['binance-spot', 'binance-usdm', 'binance-coinm', 'coinbase', 'kraken', 'okx'] as const
export type FeedName = (typeof FEED_NAMES)[number]

/** A trade id of the venue with its trade; `undefined` if the id does not belong to a market trade. */
export type FeedTrade = {
  id: number
  /** First id of an aggregate trade. */
  firstId?: number
  trade: TradeRecord | undefined
}

/** The parsed content of a frame or response of a venue. */
export type FeedMessage =
  | { kind: 'trades'; venueSymbol: string; trades: FeedTrade[]; isSnapshot?: boolean }
  | { kind: 'snapshot'; venueSymbol: string; snapshot: BookSnapshot }
  | { kind: 'update'; venueSymbol: string; update: BookUpdate }
  /** An error message of the venue, in its own words. */
  | { kind: 'error'; message: string }
  /** The book has not changed, or the venue confirms the connection. */
  | { kind: 'other' }

export type Received = { tsRecv: string; flags: number }

export type BookRule = JoinRule & {
  /** Where snapshots come from: over REST while updates wait, or in the stream after a subscription. */
  snapshots: 'requested' | 'streamed'
  /** Levels per side that the venue sends; a book is cut to it after each update. */
  depth?: number
  /** The expected checksum of the venue, as a number. */
  checksumOf?: (asks: PriceLevels, bids: PriceLevels) => number
}

/** A GET request; its weight counts against the venue's limit of a minute. */
export type FeedRequest = { path: string; weight: number }

export type FeedLimits = {
  /** Request weight in any minute. */
  weightPerMinute: number
  /** Connection attempts in any five minutes. */
  connectionsPerFiveMinutes: number
  /** Client messages in any second. */
  messagesPerSecond: number
}

export type Feed = {
  name: FeedName
  /** Public addresses without a trailing slash. */
  addresses: { socket: string; rest: string }
  limits: FeedLimits
  bookRule: BookRule
  /** The instrument of a canonical symbol; undefined when this feed has none of that form. */
  instrumentOf: (symbol: string) => InstrumentSpec | undefined
  /** Path of the socket for these symbols. */
  socketPath: (venueSymbols: readonly string[]) => string
  /** Messages that subscribe to trades and books; empty when the path does. */
  subscribe: (venueSymbols: readonly string[]) => string[]
  /** Messages that make the venue send the snapshot of one book again. */
  resubscribe?: (venueSymbol: string) => string[]
  /** Text that keeps the connection open, if the venue requires one in addition to WebSocket pings. */
  keepAlive?: string
  /** Throws an Error that describes what is wrong with the frame. */
  read: (frame: string, received: Received) => FeedMessage[]
  /** Required if snapshots are requested over REST. */
  snapshot?: {
    request: (venueSymbol: string) => FeedRequest
    read: (body: string, received: Received) => BookSnapshot
  }
  /** Requests missed trades by id; absent if the venue does not provide them. */
  missedTrades?: {
    pageMax: number
    request: (venueSymbol: string, missing: MissingIds) => FeedRequest
    read: (body: string, received: Received) => FeedTrade[]
  }
}
