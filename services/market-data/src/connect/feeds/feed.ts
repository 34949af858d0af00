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

/** A trade id of the venue with its trade; `undefined` where the id is of something that is not a market trade. */
export type FeedTrade = {
  id: number
  /** Of an aggregate, the first of its ids. */
  firstId?: number
  trade: TradeRecord | undefined
}

/** What a frame or an answer of a venue means. */
export type FeedMessage =
  | { kind: 'trades'; venueSymbol: string; trades: FeedTrade[]; isSnapshot?: boolean }
  | { kind: 'snapshot'; venueSymbol: string; snapshot: BookSnapshot }
  | { kind: 'update'; venueSymbol: string; update: BookUpdate }
  /** The venue refused something, in its own words. */
  | { kind: 'error'; message: string }
  /** The book has not changed, or the venue confirms the connection. */
  | { kind: 'other' }

export type Received = { tsRecv: string; flags: number }

export type BookRule = JoinRule & {
  /** Over REST, while updates wait; or in the stream, after a subscription. */
  snapshots: 'requested' | 'streamed'
  /** Levels per side that the venue sends; a book is cut to it after each update. */
  depth?: number
  /** What the venue's checksum must be, as a number. */
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
  /** Needed when snapshots are requested. */
  snapshot?: {
    request: (venueSymbol: string) => FeedRequest
    read: (body: string, received: Received) => BookSnapshot
  }
  /** Trades that were missed, by their ids; absent when the venue does not give them. */
  missedTrades?: {
    pageMax: number
    request: (venueSymbol: string, missing: MissingIds) => FeedRequest
    read: (body: string, received: Received) => FeedTrade[]
  }
}
