import { canonicalDecimal } from '../../decimal.ts'
import { FLAGS, type Level, type TradeRecord } from '../../store/record.ts'
import { positiveOf } from '../csv.ts'

const FILE_NAME = /^(\d{8})_([a-z0-9.]+)_(trade|quote)_tick\.csv$/i
const TRADE = /^\d{1,8},\d{1,15},\d{1,15},[^,\s]*,[0-9A-Fa-f]*,[01]$/
const QUOTE = /^\d{1,8}(?:,\d{1,15}){4},[^,\s]*,[0-9A-Fa-f]*,[01]$/
const MS_PER_DAY_MAX = 25 * 3_600_000
const PRICE_DECIMALS = 4

export type LeanType = 'trade' | 'quote'
export type LeanName = { day: string; ticker: string; type: LeanType }

/** Day (20131007), ticker and type of `20131007_spy_Trade_Tick.csv`. */
export function parseLeanName(name: string): LeanName | undefined {
  const [, day, ticker, type] = FILE_NAME.exec(name) ?? []
  if (day === undefined || ticker === undefined) return undefined
  return { day, ticker: ticker.toUpperCase(), type: type?.toLowerCase() === 'quote' ? 'quote' : 'trade' }
}

export type LeanDay = { day: string; midnightMs: number }

/**
 * Milliseconds since midnight, price × 10,000, size, exchange, condition (hex), suspicious; identified by day and row.
 */
export function parseLeanTrade(line: string, row: number, { day, midnightMs }: LeanDay): TradeRecord {
  if (!TRADE.test(line)) throw new Error('is not ms,price,size,exchange,condition,suspicious')
  const [time = '', price = '', size = '', ...words] = line.split(',')
  const tsEvent = nanosecondsOf(time, midnightMs)
  return {
    sourceId: `${day}:${row}`,
    hasTradeId: false,
    tsEvent,
    tsRecv: tsEvent,
    price: positiveOf('price', scaled(price)),
    size: positiveOf('size', size),
    side: 'unknown',
    sideSource: 'none',
    // The files carry no receive time.
    flags: FLAGS.replayed | FLAGS.bad_ts_recv,
    conditions: conditionsOf(words),
  }
}

/** One side of a quote; a price of 0 means that the row does not state this side. */
export type LeanQuote = { sourceId: string; tsEvent: string; bid: Level | undefined; ask: Level | undefined }

/**
 * Milliseconds since midnight, bid price × 10,000, bid size, ask price × 10,000, ask size, exchange, condition,
 * suspicious.
 */
export function parseLeanQuote(line: string, row: number, { day, midnightMs }: LeanDay): LeanQuote {
  if (!QUOTE.test(line)) throw new Error('is not ms,bid,size,ask,size,exchange,condition,suspicious')
  const [time = '', bid = '', bidSize = '', ask = '', askSize = ''] = line.split(',')
  return {
    sourceId: `${day}:${row}`,
    tsEvent: nanosecondsOf(time, midnightMs),
    bid: levelOf(bid, bidSize),
    ask: levelOf(ask, askSize),
  }
}

function levelOf(price: string, size: string): Level | undefined {
  return Number(price) === 0 ? undefined : [scaled(price), canonicalDecimal(size) ?? size]
}

function nanosecondsOf(time: string, midnightMs: number): string {
  if (Number(time) > MS_PER_DAY_MAX) throw new Error(`${time} ms is not within a day`)
  return `${midnightMs + Number(time)}000000`
}

function conditionsOf([exchange = '', condition = '', suspicious]: string[]): string[] {
  return [
    ...(exchange === '' ? [] : [`exchange:${exchange}`]),
    ...(condition === '' ? [] : [`sale:${condition}`]),
    ...(suspicious === '1' ? ['suspicious'] : []),
  ]
}

function scaled(digits: string): string {
  const padded = digits.padStart(PRICE_DECIMALS + 1, '0')
  const text = `${padded.slice(0, -PRICE_DECIMALS)}.${padded.slice(-PRICE_DECIMALS)}`
  return canonicalDecimal(text) ?? text
}
