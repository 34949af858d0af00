import type { L2Record, TradeRecord } from '../store/record.ts'
import { bestPricesAt, type Book, bookAt, changesBetween, decimalOf, sizeUnitsOf } from './book-at.ts'
import type { Market } from './markets.ts'
import type { Random } from './random.ts'

/** Seconds after `previous` up to `latest`; a book event every `step` seconds, trades in all of them. */
export type SecondRange = { previous: number; latest: number; step: number }
export type SimulatedRecords = { trades: TradeRecord[]; l2Events: L2Record[] }

const NS_DIGITS = 9
const NS_PER_SECOND = 10 ** NS_DIGITS
/** Interval of full snapshots, which bounds how far a reader has to go back. */
const SNAPSHOT_EVERY_SECONDS = 3_600
const TRADES_PER_SECOND_MAX = 4
/** Bursts are rare: most seconds with a trade have one or two. */
const BURST_EXPONENT = 6
/** The book changes at the beginning of a second, trades come after it. */
const BOOK_NS_MAX = 900_000
const TRADE_NS_MIN = 1_000_000
const LATENCY_NS_MIN = 150_000
const LATENCY_NS_SPREAD = 2_700_000
const DRAW = { hasTrade: 11, burst: 12, tradeTime: 13, side: 14, size: 15, latency: 16, bookTime: 17 } as const

/** Records of the market in a range: a pure function of the seed and the range. */
export function recordsBetween(
  random: Random,
  market: Market,
  { previous, latest, step }: SecondRange,
): SimulatedRecords {
  const trades: TradeRecord[] = []
  const l2Events: L2Record[] = []
  let before = bookAt(random, market, previous)
  for (let second = previous + step; second <= latest; second += step) {
    const book = bookAt(random, market, second)
    l2Events.push(bookEvent(random, market, { before, book, previous: second - step, second }))
    before = book
    for (let at = second - step + 1; at <= second; at += 1) trades.push(...tradesOf(random, market, at))
  }
  return { trades, l2Events }
}

type BookStep = { before: Book; book: Book; previous: number; second: number }

function bookEvent(random: Random, { instrumentId }: Market, { before, book, previous, second }: BookStep): L2Record {
  const isSnapshot = Math.floor(second / SNAPSHOT_EVERY_SECONDS) !== Math.floor(previous / SNAPSHOT_EVERY_SECONDS)
  const at = Math.floor(random(DRAW.bookTime, instrumentId, second) * BOOK_NS_MAX)
  return {
    sourceId: isSnapshot ? `s${second}` : String(second),
    type: isSnapshot ? 'snapshot' : 'update',
    tsEvent: nanoseconds(second, at),
    tsRecv: nanoseconds(second, at + latencyOf(random, instrumentId, second, at)),
    bids: isSnapshot ? book.bids : changesBetween(before.bids, book.bids, -1),
    asks: isSnapshot ? book.asks : changesBetween(before.asks, book.asks, 1),
    depthLimit: null,
    venueFirstId: isSnapshot ? null : String(previous + 1),
    venueLastId: String(second),
    venuePrevId: isSnapshot ? null : String(previous),
    flags: 0,
    gap: null,
  }
}

/** The trades alone, as `recordsBetween` makes them. */
export function tradesBetween(random: Random, market: Market, { previous, latest }: SecondRange): TradeRecord[] {
  const trades: TradeRecord[] = []
  for (let at = previous + 1; at <= latest; at += 1) trades.push(...tradesOf(random, market, at))
  return trades
}

/** A trade in numbers: its venue id, the nanosecond of its second, what it took to arrive, and its size in units. */
export type SimulatedTrade = { id: number; atNs: number; latencyNs: number; isBuy: boolean; sizeUnits: number }

/** Trades of one second, in the order of time. */
export function drawTrades(random: Random, market: Market, second: number): SimulatedTrade[] {
  const { instrumentId, tradeShare, tradesPerSecondMax = TRADES_PER_SECOND_MAX } = market
  if (random(DRAW.hasTrade, instrumentId, second) >= tradeShare) return []
  const burst = random(DRAW.burst, instrumentId, second) ** BURST_EXPONENT
  const count = 1 + Math.floor(burst * tradesPerSecondMax)
  const firstId = second * 10 ** String(tradesPerSecondMax).length
  return Array.from({ length: count }, (_value, index): SimulatedTrade => {
    const share = (index + random(DRAW.tradeTime, instrumentId, second, index)) / count
    const atNs = TRADE_NS_MIN + Math.floor(share * (NS_PER_SECOND - TRADE_NS_MIN))
    return {
      id: firstId + index,
      atNs,
      latencyNs: latencyOf(random, instrumentId, second, atNs),
      isBuy: random(DRAW.side, instrumentId, second, index) < 0.5,
      sizeUnits: sizeUnitsOf(market, 0.04 + 4 * random(DRAW.size, instrumentId, second, index) ** 4),
    }
  })
}

/** Takers pay the best ask or get the best bid of that second. */
function tradesOf(random: Random, market: Market, second: number): TradeRecord[] {
  const drawn = drawTrades(random, market, second)
  if (drawn.length === 0) return []
  const { bid, ask } = bestPricesAt(random, market, second)
  return drawn.map(({ id, atNs, latencyNs, isBuy, sizeUnits }) => ({
    sourceId: String(id),
    hasTradeId: true,
    tsEvent: nanoseconds(second, atNs),
    tsRecv: nanoseconds(second, atNs + latencyNs),
    price: isBuy ? ask : bid,
    size: decimalOf(sizeUnits, market.sizeDecimals),
    side: isBuy ? 'buy' : 'sell',
    sideSource: 'venue',
    flags: 0,
    conditions: [],
  }))
}

function latencyOf(random: Random, instrumentId: number, second: number, atNs: number): number {
  return LATENCY_NS_MIN + Math.floor(random(DRAW.latency, instrumentId, second, atNs) * LATENCY_NS_SPREAD)
}

function nanoseconds(second: number, atNs: number): string {
  const carry = Math.floor(atNs / NS_PER_SECOND)
  return `${second + carry}${String(atNs - carry * NS_PER_SECOND).padStart(NS_DIGITS, '0')}`
}
