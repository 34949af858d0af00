import { canonicalDecimal } from '../../decimal.ts'
import { FLAGS, type Level, type TradeRecord } from '../../store/record.ts'
import type { BookSnapshot, BookUpdate } from '../book-messages.ts'
import { field, integerField, parseJson, textField } from '../json.ts'
import { bestFirst } from '../price-levels.ts'

export type BinanceFrame =
  | { kind: 'trade'; venueSymbol: string; trade: TradeRecord }
  | { kind: 'update'; venueSymbol: string; update: BookUpdate }
  | { kind: 'snapshot'; snapshot: BookSnapshot }
  /** An id of the trade stream that does not belong to a market trade. */
  | { kind: 'no-trade'; venueSymbol: string; id: number }
  | { kind: 'other' }

export type BinanceMarket = 'spot' | 'usdm' | 'coinm'

/**
 * Matches quotes: most lines of a recording, none of which are stored. Quotes of futures have their type after `data`.
 */
const SPOT_QUOTE = /^\d{19} \{"stream":"[a-z0-9]+@bookTicker","data":\{"u"/
const LOCAL_TIME = /^\d{19}$/
const MS_DIGITS = 13
const US_DIGITS = 16

/** One recorded line, `local_ns {raw frame}`; throws an Error that describes what is wrong with it. */
export function parseBinanceLine(line: string, market: BinanceMarket): BinanceFrame {
  if (market === 'spot' && SPOT_QUOTE.test(line)) return { kind: 'other' }
  const { tsRecv, frame } = splitLine(line)
  const message = field(frame, 'data') ?? frame
  const found = marketOfMessage(message)
  if (found !== undefined && found !== market) throw new Error(`is a frame of ${found}, not of ${market}`)
  if (isPartialBook(frame, message)) return { kind: 'other' }
  return readBinanceMessage(message, { tsRecv, flags: FLAGS.replayed })
}

const PARTIAL_BOOK = /@depth(?:5|10|20)(?:@|$)/

/** The best levels of futures come as `depthUpdate`, although a level that is missing in one is not removed by any. */
function isPartialBook(frame: unknown, message: unknown): boolean {
  const stream = field(frame, 'stream')
  return typeof stream === 'string' && PARTIAL_BOOK.test(stream) && field(message, 'e') === 'depthUpdate'
}

export type Received = { tsRecv: string; flags: number }

/** A message of a stream or a requested snapshot; throws an Error that describes what is wrong with it. */
export function readBinanceMessage(message: unknown, received: Received): BinanceFrame {
  switch (field(message, 'e')) {
    case 'trade':
      return isMarketTrade(message)
        ? { kind: 'trade', venueSymbol: textField(message, 's'), trade: tradeOf(message, received) }
        : { kind: 'no-trade', venueSymbol: textField(message, 's'), id: integerField(message, 't') }
    case 'depthUpdate':
      return { kind: 'update', venueSymbol: textField(message, 's'), update: updateOf(message, received.tsRecv) }
    default:
      return field(message, 'lastUpdateId') === undefined
        ? { kind: 'other' }
        : { kind: 'snapshot', snapshot: snapshotOf(message, received.tsRecv) }
  }
}

/** The market that a recorded line is of, as far as the frame shows it; undefined for a line that is not a frame. */
export function marketsOfLine(line: string): BinanceMarket[] | undefined {
  try {
    const { frame } = splitLine(line)
    const message = field(frame, 'data') ?? frame
    const market = marketOfMessage(message)
    return market === undefined ? ['spot', 'usdm', 'coinm'] : [market]
  } catch {
    return undefined
  }
}

function splitLine(line: string): { tsRecv: string; frame: unknown } {
  const space = line.indexOf(' ')
  const tsRecv = line.slice(0, space)
  if (!LOCAL_TIME.test(tsRecv)) throw new Error('does not begin with a time of 19 digits')
  const frame = parseJson(line.slice(space + 1))
  if (typeof frame !== 'object' || frame === null) throw new Error('has no frame after the time')
  return { tsRecv, frame }
}

const COIN_MARGINED = /USD_(PERP|\d{6})$/

type Has = (name: string) => boolean
/** Only futures have `pu`, `X` and times on quotes and snapshots; only spot trades have `M`. */
const MARKET_BY_EVENT: Readonly<Record<string, (has: Has) => BinanceMarket | undefined>> = {
  depthUpdate: (has) => (has('pu') ? 'usdm' : 'spot'),
  trade: marketOfTrade,
  aggTrade: marketOfTrade,
  bookTicker: () => 'usdm',
  markPriceUpdate: () => 'usdm',
  forceOrder: () => 'usdm',
}

function marketOfMessage(message: unknown): BinanceMarket | undefined {
  const symbol = field(message, 's') ?? field(message, 'symbol')
  if (typeof symbol === 'string' && COIN_MARGINED.test(symbol)) return 'coinm'
  const event = field(message, 'e')
  const rule = typeof event === 'string' ? MARKET_BY_EVENT[event] : marketOfUntyped
  return rule?.((name) => field(message, name) !== undefined)
}

function marketOfTrade(has: Has): BinanceMarket | undefined {
  if (has('M')) return 'spot'
  return has('X') ? 'usdm' : undefined
}

/** A snapshot answered on request, or a spot quote. */
function marketOfUntyped(has: Has): BinanceMarket | undefined {
  if (has('lastUpdateId')) return has('E') || has('T') ? 'usdm' : 'spot'
  return has('u') && has('B') && has('A') ? 'spot' : undefined
}

const NOT_MARKET = ['INSURANCE_FUND', 'ADL', 'NA']

/** Futures also report trades that did not happen on the market. */
function isMarketTrade(message: unknown): boolean {
  const kind = field(message, 'X')
  return typeof kind !== 'string' || !NOT_MARKET.includes(kind)
}

/** `m` means that the buyer is the maker, so the taker sells. */
function tradeOf(message: unknown, { tsRecv, flags }: Received): TradeRecord {
  return {
    sourceId: String(integerField(message, 't')),
    hasTradeId: true,
    tsEvent: nanoseconds(integerField(message, 'T')),
    tsRecv,
    price: decimal(textField(message, 'p')),
    size: decimal(textField(message, 'q')),
    side: field(message, 'm') === true ? 'sell' : 'buy',
    sideSource: 'venue',
    flags,
    conditions: [],
  }
}

/** An element of the REST list of old trades; `isBuyerMaker` is the stream's `m`. */
export function readBinanceTrade(entry: unknown, { tsRecv, flags }: Received): TradeRecord {
  return {
    sourceId: String(integerField(entry, 'id')),
    hasTradeId: true,
    tsEvent: nanoseconds(integerField(entry, 'time')),
    tsRecv,
    price: decimal(textField(entry, 'price')),
    size: decimal(textField(entry, 'qty')),
    side: field(entry, 'isBuyerMaker') === true ? 'sell' : 'buy',
    sideSource: 'venue',
    flags,
    conditions: [],
  }
}

function updateOf(message: unknown, tsRecv: string): BookUpdate {
  return {
    firstId: integerField(message, 'U'),
    lastId: integerField(message, 'u'),
    previousId: field(message, 'pu') === undefined ? undefined : integerField(message, 'pu'),
    tsEvent: nanoseconds(integerField(message, 'E')),
    tsRecv,
    bids: levels(message, 'b', -1),
    asks: levels(message, 'a', 1),
  }
}

/** A spot snapshot carries no time: its receipt time is used for both. */
function snapshotOf(message: unknown, tsRecv: string): BookSnapshot {
  const bids = levels(message, 'bids', -1)
  const asks = levels(message, 'asks', 1)
  const depthLimit = Math.max(bids.length, asks.length)
  const tsEvent = field(message, 'T') === undefined ? tsRecv : nanoseconds(integerField(message, 'T'))
  return { lastUpdateId: integerField(message, 'lastUpdateId'), tsEvent, tsRecv, bids, asks, depthLimit }
}

/** Best first: bids fall, asks rise. */
function levels(message: unknown, name: string, direction: 1 | -1): Level[] {
  const list = field(message, name)
  if (!Array.isArray(list)) throw new Error(`${name} is not a list of levels`)
  const found = list.map((entry: unknown): Level => {
    if (!Array.isArray(entry)) throw new Error(`${name} contains an entry that is not a level`)
    const price: unknown = entry[0]
    const size: unknown = entry[1]
    if (typeof price !== 'string' || typeof size !== 'string')
      throw new Error(`${name} contains a level whose price or size is not text`)
    return [decimal(price), decimal(size)]
  })
  return bestFirst(found, direction)
}

function decimal(value: string): string {
  const canonical = canonicalDecimal(value)
  if (canonical === undefined) throw new Error(`${value} is not a decimal`)
  return canonical
}

/** Milliseconds have 13 digits, microseconds 16. */
function nanoseconds(time: number): string {
  const digits = String(time)
  if (digits.length === MS_DIGITS) return `${digits}000000`
  if (digits.length === US_DIGITS) return `${digits}000`
  throw new Error(`${digits} is not a time in milliseconds or microseconds`)
}
