import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS } from '../../store/record.ts'
import { type BinanceMarket, readBinanceMessage, readBinanceTrade } from '../../venues/binance/binance-frames.ts'
import { binanceInstrument, binanceVenueSymbol } from '../../venues/binance/binance-symbol.ts'
import { BINANCE_RULE } from '../../venues/book-join.ts'
import { field, parseJson } from '../../venues/json.ts'
import type { Feed, FeedMessage, FeedName, Received } from './feed.ts'

type Market = {
  name: FeedName
  addresses: Feed['addresses']
  /** Root of the REST API. */
  root: string
  depth: { limit: number; weight: number }
  trades: { weight: number } | undefined
  weightPerMinute: number
}

/** Limits and weights as documented by Binance in 2026 for each API. */
const MARKETS: Record<BinanceMarket, Market> = {
  spot: {
    name: 'binance-spot',
    addresses: { socket: 'wss://stream.binance.com:9443', rest: 'https://api.binance.com' },
    root: '/api/v3',
    depth: { limit: 5_000, weight: 250 },
    trades: { weight: 25 },
    weightPerMinute: 6_000,
  },
  usdm: {
    name: 'binance-usdm',
    addresses: { socket: 'wss://fstream.binance.com', rest: 'https://fapi.binance.com' },
    root: '/fapi/v1',
    depth: { limit: 1_000, weight: 20 },
    // The futures APIs return old trades only with an account's API key.
    trades: undefined,
    weightPerMinute: 2_400,
  },
  coinm: {
    name: 'binance-coinm',
    addresses: { socket: 'wss://dstream.binance.com', rest: 'https://dapi.binance.com' },
    root: '/dapi/v1',
    depth: { limit: 1_000, weight: 20 },
    trades: undefined,
    weightPerMinute: 2_400,
  },
}
const TRADES_PAGE_MAX = 1_000

/** Combined streams of trades and of book changes every 100 ms; snapshots and missed trades over REST. */
export function createBinanceFeed(market: BinanceMarket): Feed {
  const { name, addresses, root, depth, trades, weightPerMinute } = MARKETS[market]
  return {
    name,
    addresses,
    limits: { weightPerMinute, connectionsPerFiveMinutes: 300, messagesPerSecond: 5 },
    bookRule: { ...BINANCE_RULE, snapshots: 'requested' },
    instrumentOf: (symbol) => instrumentOf(symbol, market),
    socketPath: (symbols) => `/stream?streams=${symbols.flatMap(streamsOf).join('/')}`,
    subscribe: () => [],
    read: readFrame,
    snapshot: {
      request: (symbol) => ({ path: `${root}/depth?symbol=${symbol}&limit=${depth.limit}`, weight: depth.weight }),
      read(body, received) {
        const frame = readBinanceMessage(parseJson(body), received)
        if (frame.kind !== 'snapshot') throw new Error('is not a snapshot')
        return { ...frame.snapshot, depthLimit: depth.limit }
      },
    },
    ...(trades === undefined ? {} : { missedTrades: missedTrades(root, trades.weight) }),
  }
}

function instrumentOf(symbol: string, market: BinanceMarket): InstrumentSpec | undefined {
  const venueSymbol = binanceVenueSymbol(symbol, market)
  return venueSymbol === undefined ? undefined : binanceInstrument(venueSymbol, market)
}

function streamsOf(symbol: string): string[] {
  const stream = symbol.toLowerCase()
  return [`${stream}@trade`, `${stream}@depth@100ms`]
}

function readFrame(frame: string, received: Received): FeedMessage[] {
  const content = parseJson(frame)
  const message = field(content, 'data') ?? content
  const read = readBinanceMessage(message, received)
  switch (read.kind) {
    case 'trade': {
      const { venueSymbol, trade } = read
      return [{ kind: 'trades', venueSymbol, trades: [{ id: Number(trade.sourceId), trade }] }]
    }
    case 'no-trade':
      return [{ kind: 'trades', venueSymbol: read.venueSymbol, trades: [{ id: read.id, trade: undefined }] }]
    case 'update':
      return [{ kind: 'update', venueSymbol: read.venueSymbol, update: read.update }]
    case 'snapshot':
    case 'other':
      return field(content, 'error') === undefined ? [] : [{ kind: 'error', message: frame }]
  }
}

function missedTrades(root: string, weight: number): NonNullable<Feed['missedTrades']> {
  return {
    pageMax: TRADES_PAGE_MAX,
    request(symbol, { from, to }) {
      const limit = Math.min(to - from + 1, TRADES_PAGE_MAX)
      return { path: `${root}/historicalTrades?symbol=${symbol}&fromId=${from}&limit=${limit}`, weight }
    },
    read(body, received) {
      const list = parseJson(body)
      if (!Array.isArray(list)) throw new Error('is not a list of trades')
      return list.map((entry: unknown) => {
        const trade = readBinanceTrade(entry, { ...received, flags: received.flags | FLAGS.late })
        return { id: Number(trade.sourceId), trade }
      })
    },
  }
}
