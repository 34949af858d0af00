import { positiveOf } from '../../importers/csv.ts'
import { vendorInstrument } from '../../importers/vendor-symbol.ts'
import { parseTime } from '../../nanoseconds.ts'
import { FLAGS, type Level, type Side } from '../../store/record.ts'
import type { BookUpdate } from '../../venues/book-messages.ts'
import { field, integerField, parseJson, textField } from '../../venues/json.ts'
import { krakenChecksum } from '../../venues/kraken/kraken-book.ts'
import { levelsOf } from '../../venues/venue-levels.ts'
import { isSpotSymbol, STREAMED_WITHOUT_IDS } from './book-rules.ts'
import type { Feed, FeedMessage, FeedTrade, Received } from './feed.ts'

const DEPTH = 1_000
const TRADES_PAGE_MAX = 1_000
const REST_ASSETS: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' }

/** WebSocket API v2: `book` with a checksum in every message, and `trade`. */
export function createKrakenFeed(): Feed {
  return {
    name: 'kraken',
    addresses: { socket: 'wss://ws.kraken.com', rest: 'https://api.kraken.com' },
    // REST: about one public request per second and address.
    limits: { weightPerMinute: 60, connectionsPerFiveMinutes: 75, messagesPerSecond: 10 },
    bookRule: { ...STREAMED_WITHOUT_IDS, depth: DEPTH, checksumOf: krakenChecksum },
    instrumentOf: (symbol) => (isSpotSymbol(symbol) ? vendorInstrument('kraken', symbol.replace('-', '/')) : undefined),
    socketPath: () => '/v2',
    subscribe: (symbols) => [request('subscribe', bookOf(symbols)), request('subscribe', tradesOf(symbols))],
    resubscribe: (symbol) => [request('unsubscribe', bookOf([symbol])), request('subscribe', bookOf([symbol]))],
    keepAlive: JSON.stringify({ method: 'ping' }),
    read: readFrame,
    missedTrades: {
      pageMax: TRADES_PAGE_MAX,
      request: (symbol, { since }) => ({
        path: `/0/public/Trades?pair=${restPair(symbol)}&since=${since}&count=${TRADES_PAGE_MAX}`,
        weight: 1,
      }),
      read: readMissedTrades,
    },
  }
}

function bookOf(symbols: readonly string[]) {
  return { channel: 'book', symbol: symbols, depth: DEPTH, snapshot: true }
}

/** The snapshot of trades has the last 50, which covers a short disconnection. */
function tradesOf(symbols: readonly string[]) {
  return { channel: 'trade', symbol: symbols, snapshot: true }
}

function request(method: 'subscribe' | 'unsubscribe', params: object): string {
  return JSON.stringify({ method, params })
}

const NUMBERS = /"(price|qty)":\s*(-?[\d.]+(?:[eE][+-]?\d+)?)/g

/** Prices and sizes as the text that was sent: as numbers they would lose the trailing zeros of the checksum. */
function quoteNumbers(frame: string): string {
  return frame.replace(NUMBERS, '"$1":"$2"')
}

function readFrame(frame: string, received: Received): FeedMessage[] {
  const message = parseJson(quoteNumbers(frame))
  if (field(message, 'success') === false) return [{ kind: 'error', message: frame }]
  const channel = field(message, 'channel')
  if (channel !== 'book' && channel !== 'trade') return []
  const data = field(message, 'data')
  if (!Array.isArray(data)) throw new Error('data is missing or not a list')
  const isSnapshot = field(message, 'type') === 'snapshot'
  if (channel === 'book') return data.map((entry: unknown) => readBook(entry, isSnapshot, received))
  const bySymbol = Map.groupBy(data, (entry: unknown) => textField(entry, 'symbol'))
  return [...bySymbol].map(([venueSymbol, entries]) => ({
    kind: 'trades',
    venueSymbol,
    trades: entries.map((entry: unknown) => readTrade(entry, received)),
  }))
}

function readBook(entry: unknown, isSnapshot: boolean, { tsRecv }: Received): FeedMessage {
  const venueSymbol = textField(entry, 'symbol')
  const venueText = { bids: textLevels(entry, 'bids'), asks: textLevels(entry, 'asks') }
  const levels = { bids: levelsOf(venueText.bids, 'bids'), asks: levelsOf(venueText.asks, 'asks') }
  const checksum = field(entry, 'checksum') === undefined ? undefined : integerField(entry, 'checksum')
  const common = { ...levels, tsEvent: timeOf(entry) ?? tsRecv, tsRecv, checksum, venueText }
  if (isSnapshot) return { kind: 'snapshot', venueSymbol, snapshot: { ...common, lastUpdateId: 0, depthLimit: DEPTH } }
  const update: BookUpdate = { ...common, firstId: 0, lastId: 0 }
  return { kind: 'update', venueSymbol, update }
}

function textLevels(entry: unknown, side: 'bids' | 'asks'): Level[] {
  const list = field(entry, side) ?? []
  if (!Array.isArray(list)) throw new Error(`${side} is not a list`)
  return list.map((level: unknown) => [textField(level, 'price'), textField(level, 'qty')])
}

function timeOf(entry: unknown): string | undefined {
  const time = field(entry, 'timestamp')
  const parsed = typeof time === 'string' ? parseTime(time) : undefined
  return parsed === undefined ? undefined : String(parsed)
}

/** `side` is the taker's. */
function readTrade(entry: unknown, { tsRecv, flags }: Received): FeedTrade {
  const id = integerField(entry, 'trade_id')
  const tsEvent = timeOf(entry)
  const trade = {
    sourceId: String(id),
    hasTradeId: true,
    tsEvent: tsEvent ?? tsRecv,
    tsRecv,
    price: positiveOf('price', textField(entry, 'price')),
    size: positiveOf('qty', textField(entry, 'qty')),
    side: sideOf(field(entry, 'side')),
    sideSource: 'venue' as const,
    flags: tsEvent === undefined ? flags | FLAGS.bad_ts_event : flags,
    conditions: [],
  }
  return { id, trade }
}

function sideOf(side: unknown): Side {
  if (side !== 'buy' && side !== 'sell') throw new Error(`side is neither buy nor sell: ${String(side)}`)
  return side
}

function restPair(symbol: string): string {
  return symbol
    .split('/')
    .map((asset) => REST_ASSETS[asset] ?? asset)
    .join('')
}

/** `[price, volume, seconds, b|s, m|l, misc, trade id]` per trade; REST times have nine decimals at most. */
function readMissedTrades(body: string, { tsRecv, flags }: Received): FeedTrade[] {
  const answer = parseJson(body.replace(/(?<=,)(\d{10}\.\d+)(?=,)/g, '"$1"'))
  const errors = field(answer, 'error')
  if (Array.isArray(errors) && errors.length > 0) throw new Error(`Kraken rejected the request: ${errors.join(', ')}`)
  const result = field(answer, 'result')
  const list = Object.entries(typeof result === 'object' && result !== null ? result : {}).find(([, value]) =>
    Array.isArray(value),
  )?.[1]
  if (!Array.isArray(list)) throw new Error('has no list of trades')
  return list.map((row: unknown) => {
    const [price, volume, time, side, , , id]: unknown[] = Array.isArray(row) ? row : []
    const entry = { trade_id: id, price, qty: volume, side: side === 'b' ? 'buy' : 'sell' }
    const { trade } = readTrade(entry, { tsRecv, flags: flags & ~FLAGS.bad_ts_event })
    const tsEvent = nanosecondsOf(time)
    return { id: Number(id), trade: trade && { ...trade, tsEvent, flags: flags | FLAGS.late } }
  })
}

function nanosecondsOf(seconds: unknown): string {
  const [, whole, fraction = ''] = /^(\d{10})(?:\.(\d{1,9}))?$/.exec(String(seconds)) ?? []
  if (whole === undefined) throw new Error(`is not a time in seconds: ${String(seconds)}`)
  return whole + fraction.padEnd(9, '0')
}
