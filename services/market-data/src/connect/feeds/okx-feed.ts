import { positiveOf, timeOf as nanosecondsOf } from '../../importers/csv.ts'
import { vendorInstrument } from '../../importers/vendor-symbol.ts'
import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS } from '../../store/record.ts'
import type { JoinRule } from '../../venues/book-messages.ts'
import { field, parseJson, textField } from '../../venues/json.ts'
import { levelsOf } from '../../venues/venue-levels.ts'
import type { BookRule, Feed, FeedMessage, FeedTrade, MissingIds, Received } from './feed.ts'

const DEPTH = 400
const TRADES_PAGE_MAX = 100

/** Updates name their predecessor; ids have holes. A message without changes repeats its predecessor's id. */
const OKX_RULE: BookRule = {
  hasIds: true,
  snapshots: 'streamed',
  depth: DEPTH,
  placeOf: ((update, { lastId: applied }) => {
    const { lastId, previousId } = update
    if (previousId === applied) return lastId === applied ? 'old' : 'next'
    return lastId <= applied ? 'old' : 'gap'
  }) satisfies JoinRule['placeOf'],
}

/** Public channels `books` (400 levels, 100 ms) and `trades`, whose elements are the fills of one taker at one price. */
export function createOkxFeed(): Feed {
  return {
    name: 'okx',
    addresses: { socket: 'wss://ws.okx.com:8443', rest: 'https://www.okx.com' },
    // REST: 20 requests per 2 s; sockets: 480 requests per hour.
    limits: { weightPerMinute: 600, connectionsPerFiveMinutes: 100, messagesPerSecond: 3 },
    bookRule: OKX_RULE,
    instrumentOf,
    socketPath: () => '/ws/v5/public',
    subscribe: (symbols) => [
      request(
        'subscribe',
        symbols.flatMap((instId) => [channel('books', instId), channel('trades', instId)]),
      ),
    ],
    resubscribe: (symbol) => [
      request('unsubscribe', [channel('books', symbol)]),
      request('subscribe', [channel('books', symbol)]),
    ],
    keepAlive: 'ping',
    read: readFrame,
    missedTrades: { pageMax: TRADES_PAGE_MAX, request: missedTrades, read: readMissedTrades },
  }
}

const SYMBOL = /^([A-Z0-9]{1,20}-[A-Z0-9]{1,20})(?:-(PERP|20\d{6}))?$/

/** BTC-USDT-PERP → `BTC-USDT-SWAP`, BTC-USD-20261225 → `BTC-USD-261225`. */
function instrumentOf(symbol: string): InstrumentSpec | undefined {
  const [, pair, ending] = SYMBOL.exec(symbol) ?? []
  if (pair === undefined) return undefined
  const end = ending === 'PERP' ? 'SWAP' : ending?.slice(2)
  const instrument = vendorInstrument('okx', end === undefined ? pair : `${pair}-${end}`)
  return instrument && { ...instrument, tsEventPrecision: 'ms' }
}

function channel(name: 'books' | 'trades', instId: string) {
  return { channel: name, instId }
}

function request(op: 'subscribe' | 'unsubscribe', args: object[]): string {
  return JSON.stringify({ op, args })
}

function readFrame(frame: string, received: Received): FeedMessage[] {
  if (frame === 'pong') return []
  const message = parseJson(frame)
  if (field(message, 'event') === 'error') return [{ kind: 'error', message: frame }]
  const data = field(message, 'data')
  const arg = field(message, 'arg')
  const name = field(arg, 'channel')
  if (!Array.isArray(data) || (name !== 'books' && name !== 'trades')) return []
  const venueSymbol = textField(arg, 'instId')
  if (name === 'trades') {
    return [{ kind: 'trades', venueSymbol, trades: data.map((entry: unknown) => readTrade(entry, received)) }]
  }
  const isSnapshot = field(message, 'action') === 'snapshot'
  return data.map((entry: unknown) => readBook(entry, { venueSymbol, isSnapshot }, received))
}

/** The checksum was withdrawn in August 2026 and is 0 or absent: the ids alone decide. */
function readBook(
  entry: unknown,
  { venueSymbol, isSnapshot }: { venueSymbol: string; isSnapshot: boolean },
  { tsRecv }: Received,
): FeedMessage {
  const common = {
    bids: levelsOf(rowsOf(entry, 'bids'), 'bids'),
    asks: levelsOf(rowsOf(entry, 'asks'), 'asks'),
    tsEvent: nanosecondsOf('ts', textField(entry, 'ts'), ['ms']),
    tsRecv,
  }
  const id = sequenceOf(entry, 'seqId')
  if (isSnapshot) return { kind: 'snapshot', venueSymbol, snapshot: { ...common, lastUpdateId: id, depthLimit: DEPTH } }
  const update = { ...common, firstId: id, lastId: id, previousId: sequenceOf(entry, 'prevSeqId') }
  return { kind: 'update', venueSymbol, update }
}

/** Levels are [price, size, deprecated, orders]. */
function rowsOf(entry: unknown, side: 'bids' | 'asks'): string[][] {
  const list = field(entry, side)
  if (!Array.isArray(list)) throw new Error(`${side} is not a list`)
  return list.map((row: unknown) => (Array.isArray(row) ? row.slice(0, 2).map(String) : []))
}

function sequenceOf(entry: unknown, name: 'seqId' | 'prevSeqId'): number {
  const id = field(entry, name)
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error(`${name} is missing or not a whole number`)
  return id
}

/** `side` is the taker's; `count` fills end with `tradeId`. */
function readTrade(entry: unknown, { tsRecv, flags }: Received): FeedTrade {
  const id = Number(textField(entry, 'tradeId'))
  if (!Number.isSafeInteger(id)) throw new Error('tradeId is not a whole number')
  const count = Number(field(entry, 'count') ?? 1)
  const firstId = id - (Number.isSafeInteger(count) && count > 1 ? count - 1 : 0)
  const isAggregate = firstId < id
  const side = textField(entry, 'side')
  if (side !== 'buy' && side !== 'sell') throw new Error(`side is neither buy nor sell: ${side}`)
  const trade = {
    sourceId: isAggregate ? `a${id}` : String(id),
    hasTradeId: !isAggregate,
    tsEvent: nanosecondsOf('ts', textField(entry, 'ts'), ['ms']),
    tsRecv,
    price: positiveOf('px', textField(entry, 'px')),
    size: positiveOf('sz', textField(entry, 'sz')),
    side,
    sideSource: 'venue',
    flags,
    conditions: isAggregate ? [`aggregate:${firstId}-${id}`] : [],
  } as const
  return { id, firstId, trade: { ...trade, conditions: [...trade.conditions] } }
}

/** `after` is exclusive and pages go back in time. */
function missedTrades(symbol: string, { from, to }: MissingIds) {
  const after = Math.min(to + 1, from + TRADES_PAGE_MAX)
  return {
    path: `/api/v5/market/history-trades?instId=${symbol}&type=1&after=${after}&limit=${TRADES_PAGE_MAX}`,
    weight: 1,
  }
}

function readMissedTrades(body: string, { tsRecv, flags }: Received): FeedTrade[] {
  const answer = parseJson(body)
  const data = field(answer, 'data')
  if (field(answer, 'code') !== '0' || !Array.isArray(data))
    throw new Error(`OKX rejected the request: ${body.slice(0, 200)}`)
  return data.map((entry: unknown) => readTrade(entry, { tsRecv, flags: flags | FLAGS.late }))
}
