import { canonicalDecimal } from '../decimal.ts'
import { FLAGS, type TradeRecord } from '../store/record.ts'

const FILE_NAME = /^(\d{8})_([a-z0-9.]+)_trade_tick\.csv$/i
const ROW = /^\d{1,8},\d{1,15},\d{1,15},[^,\s]*,[0-9A-Fa-f]*,[01]$/
const MS_PER_DAY_MAX = 25 * 3_600_000
const PRICE_DECIMALS = 4

/** Day (20131007) and ticker of `20131007_spy_Trade_Tick.csv`. */
export function parseLeanName(name: string): { day: string; ticker: string } | undefined {
  const [, day, ticker] = FILE_NAME.exec(name) ?? []
  return day === undefined || ticker === undefined ? undefined : { day, ticker: ticker.toUpperCase() }
}

export type LeanDay = { day: string; midnightMs: number }

/** Milliseconds since midnight, price × 10,000, size, exchange, condition (hex), suspicious; identified by day and row. */
export function parseLeanRow(line: string, row: number, { day, midnightMs }: LeanDay): TradeRecord {
  if (!ROW.test(line)) throw new Error('is not ms,price,size,exchange,condition,suspicious')
  const [time = '', price = '', size = '', ...words] = line.split(',')
  if (Number(time) > MS_PER_DAY_MAX) throw new Error(`${time} ms is not within a day`)
  const tsEvent = `${midnightMs + Number(time)}000000`
  return {
    sourceId: `${day}:${row}`,
    hasTradeId: false,
    tsEvent,
    tsRecv: tsEvent,
    price: scaled(price),
    size: canonicalDecimal(size) ?? size,
    side: 'unknown',
    sideSource: 'none',
    // Nobody recorded when it was received.
    flags: FLAGS.replayed | FLAGS.bad_ts_recv,
    conditions: conditionsOf(words),
  }
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
