import { canonicalDecimal, compareDecimals } from '../decimal.ts'
import { FLAGS, type Level, type TradeRecord } from '../store/record.ts'
import type { BookSnapshot, BookUpdate } from './book-join.ts'

export type BinanceFrame =
  | { kind: 'trade'; venueSymbol: string; trade: TradeRecord }
  | { kind: 'update'; venueSymbol: string; update: BookUpdate }
  | { kind: 'snapshot'; snapshot: BookSnapshot }
  | { kind: 'other' }

const LOCAL_TIME = /^\d{19}$/
const MS_DIGITS = 13
const US_DIGITS = 16

/** One recorded line, `local_ns {raw frame}`; throws an Error that says what is wrong with it. */
export function parseBinanceLine(line: string): BinanceFrame {
  const space = line.indexOf(' ')
  const tsRecv = line.slice(0, space)
  if (!LOCAL_TIME.test(tsRecv)) throw new Error('does not begin with a time of 19 digits')
  if (line.startsWith('{"stream"', space + 1) && line.slice(space, space + 60).includes('@bookTicker')) {
    return { kind: 'other' }
  }
  const frame: unknown = parseJson(line.slice(space + 1))
  const message = field(frame, 'data') ?? frame
  switch (field(message, 'e')) {
    case 'trade':
      return { kind: 'trade', venueSymbol: text(message, 's'), trade: tradeOf(message, tsRecv) }
    case 'depthUpdate':
      return { kind: 'update', venueSymbol: text(message, 's'), update: updateOf(message, tsRecv) }
    default:
      return field(message, 'lastUpdateId') === undefined
        ? { kind: 'other' }
        : { kind: 'snapshot', snapshot: snapshotOf(message, tsRecv) }
  }
}

/** `m` says that the buyer is the maker, so the taker sells. */
function tradeOf(message: unknown, tsRecv: string): TradeRecord {
  return {
    sourceId: String(integer(message, 't')),
    hasTradeId: true,
    tsEvent: nanoseconds(integer(message, 'T')),
    tsRecv,
    price: decimal(text(message, 'p')),
    size: decimal(text(message, 'q')),
    side: field(message, 'm') === true ? 'sell' : 'buy',
    sideSource: 'venue',
    flags: FLAGS.replayed,
    conditions: [],
  }
}

function updateOf(message: unknown, tsRecv: string): BookUpdate {
  return {
    firstId: integer(message, 'U'),
    lastId: integer(message, 'u'),
    tsEvent: nanoseconds(integer(message, 'E')),
    tsRecv,
    bids: levels(message, 'b', -1),
    asks: levels(message, 'a', 1),
  }
}

/** The venue puts no time on it: the time of its receipt stands for both. */
function snapshotOf(message: unknown, tsRecv: string): BookSnapshot {
  const bids = levels(message, 'bids', -1)
  const asks = levels(message, 'asks', 1)
  const depthLimit = Math.max(bids.length, asks.length)
  return { lastUpdateId: integer(message, 'lastUpdateId'), tsEvent: tsRecv, tsRecv, bids, asks, depthLimit }
}

/** Best first: bids fall, asks rise. */
function levels(message: unknown, name: string, direction: 1 | -1): Level[] {
  const list = field(message, name)
  if (!Array.isArray(list)) throw new Error(`${name} is not a list of levels`)
  return list
    .map((entry: unknown): Level => {
      if (!Array.isArray(entry)) throw new Error(`${name} holds something that is not a level`)
      const [price, size]: unknown[] = entry
      if (typeof price !== 'string' || typeof size !== 'string') throw new Error(`${name} holds a level without text`)
      return [decimal(price), decimal(size)]
    })
    .toSorted(([one], [other]) => direction * compareDecimals(one, other))
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
  throw new Error(`${digits} is no time in milliseconds or microseconds`)
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new Error('holds no valid JSON after the time')
  }
}

function field(message: unknown, name: string): unknown {
  return typeof message === 'object' && message !== null
    ? Object.getOwnPropertyDescriptor(message, name)?.value
    : undefined
}

function text(message: unknown, name: string): string {
  const value = field(message, name)
  if (typeof value !== 'string') throw new Error(`${name} is missing or not text`)
  return value
}

function integer(message: unknown, name: string): number {
  const value = field(message, name)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`${name} is missing or no whole number`)
  return value
}
