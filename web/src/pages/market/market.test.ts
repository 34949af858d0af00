import type { Bar } from '@tapeline/contracts/market-data/bars'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { expect, test } from 'vitest'
import { bookRows, spreadOf } from './book/book-rows.ts'
import { curlOf } from './call/call-of.ts'
import { candleScale, niceTicks, timeTicks } from './candles/candle-scale.ts'
import { gapsWithin } from './candles/GapBands.tsx'
import { dayFigures } from './instruments/day-figures.ts'
import { findInstruments } from './instruments/find-instruments.ts'
import { readMarketFilter, writeMarketFilter } from './market-filter.ts'
import { activityRange, lastRecordMs, momentOf, newerRecordMs, refreshMs } from './moment.ts'
import { fractionDigits, showDecimal } from './prices.ts'
import { daySlots, nextGap, placeOnDay } from './travel/day-slots.ts'

const AT = Date.parse('2026-11-17T14:33:12Z')

const BTC: Instrument = {
  instrument_id: 1,
  venue: 'binance',
  symbol: 'BTC-USDT',
  venue_symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  size_unit: 'BTC',
  ts_event_precision: 'us',
  kind: 'spot',
  tick: null,
  lot: null,
  multiplier: null,
  aliases: ['XBT-USDT'],
  valid_from: null,
  valid_to: null,
  first_ts_event: '2026-11-02T04:00:00.000000000Z',
  last_ts_event: '2026-11-17T14:33:11.500000000Z',
  trades: 900,
  l2_events: 0,
}

function bar(ts_start: string, prices: [open: string, high: string, low: string, close: string], count = 3): Bar {
  const [open, high, low, close] = prices
  return {
    id: ts_start,
    venue: 'binance',
    symbol: 'BTC-USDT',
    venue_symbol: 'BTCUSDT',
    instrument_id: 1,
    bar: '1m',
    ts_start,
    ts_end: ts_start,
    open,
    high,
    low,
    close,
    volume: '1.5',
    notional: '1',
    vwap: '1',
    count,
    first_sequence: '1',
    last_sequence: '2',
    first_ts_event: ts_start,
    last_ts_event: ts_start,
    finality: 'final',
  }
}

const gap = (from: string | null, to: string) => ({ venue: 'binance', symbol: 'BTC-USDT', from, to, reason: null })

test('the URL contains instrument, time and candle without defaults; invalid values are ignored', () => {
  const text = 'venue=binance&symbol=BTC-USDT&at=2026-11-17T14%3A33%3A12.000Z&candle=5m'
  expect(writeMarketFilter(readMarketFilter(new URLSearchParams(text))).toString()).toBe(text)
  const wrong = readMarketFilter(new URLSearchParams('at=yesterday&candle=3m'))
  expect(writeMarketFilter(wrong).toString()).toBe('')
})

test('an instrument is live while it trades; otherwise its last record is shown', () => {
  const lastMs = lastRecordMs(BTC, undefined)
  expect(momentOf(undefined, lastMs, AT)).toEqual({ isLive: true, canBeLive: true, atMs: AT })
  const later = AT + 3_600_000
  expect(momentOf(undefined, lastMs, later)).toEqual({ isLive: false, canBeLive: false, atMs: AT })
  expect(momentOf('2026-11-17T10:00:00Z', lastMs, AT)).toMatchObject({ isLive: false, atMs: AT - 16_392_000 })
})

test('a received trade becomes the last record, once a minute', () => {
  const trades = [{ ts_event: '2026-11-17T14:34:30.000000000Z' }, { ts_event: '2026-11-17T14:34:20.000000000Z' }]
  const tradeMs = AT + 78_000
  expect(newerRecordMs(trades, AT, tradeMs + 1_000)).toBe(tradeMs)
  expect(newerRecordMs(trades, tradeMs - 30_000, tradeMs + 1_000)).toBeUndefined()
  expect(newerRecordMs(trades, tradeMs, tradeMs + 3_600_000)).toBeUndefined()
  expect(newerRecordMs([], undefined, AT)).toBeUndefined()
})

test('a page that receives trades stays live, however old the loaded instrument is', () => {
  const later = AT + 3_600_000
  expect(momentOf(undefined, lastRecordMs(BTC, later - 60_000), later)).toMatchObject({ isLive: true, atMs: later })
  expect(lastRecordMs(BTC, AT - 3_600_000)).toBe(AT - 500)
  expect(lastRecordMs({ last_ts_event: null }, AT)).toBe(AT)
  expect(momentOf(undefined, lastRecordMs({ last_ts_event: null }, undefined), AT)).toMatchObject({ isLive: true })
})

test('an open page uses a quarter of the limit per minute at most', () => {
  for (const limit of [10, 100, 500]) expect((60_000 / refreshMs(limit)) * 3).toBeLessThanOrEqual(limit / 4)
  expect(refreshMs(10)).toBe(72_000)
  expect(refreshMs(100_000)).toBe(2_000)
})

test('activity covers the day and the 24 hours before, and no more than the plan reads', () => {
  expect(activityRange(AT, AT, undefined)).toEqual({
    start: '2026-11-16T14:30:00.000Z',
    end: '2026-11-18T00:00:00.000Z',
  })
  expect(activityRange(AT, AT, 86_400_000).start).toBe('2026-11-16T14:35:00.000Z')
})

test('candles are placed by time, and an interval without a trade is an empty slot', () => {
  const bars = [
    bar('2026-11-17T14:31:00.000000000Z', ['100', '110', '90', '105']),
    bar('2026-11-17T14:33:00.000000000Z', ['105', '106', '95', '96']),
    bar('2026-11-17T13:00:00.000000000Z', ['1', '1', '1', '1']),
  ]
  const scale = candleScale(bars, '1m', 10, AT)
  expect(scale.bars.map(({ slot, isUp, left }) => [slot, isUp, left])).toEqual([
    [7, true, 75],
    [9, false, 95],
  ])
  const [first] = scale.bars
  expect(scale.topOf(100)).toBeCloseTo(50, 5)
  expect(first?.bodyTop).toBeCloseTo(scale.topOf(105), 5)
  expect(first?.bodyHeight).toBeCloseTo(scale.topOf(100) - scale.topOf(105), 5)
  expect(scale.leftOf(Date.parse('2026-11-17T14:29:00Z'))).toBe(50)
  expect(candleScale([], '1m', 10, AT).bars).toEqual([])
})

test('a market without price changes has a scale; ticks are round numbers within it', () => {
  const scale = candleScale([bar('2026-11-17T14:33:00Z', ['100', '100', '100', '100'])], '1m', 10, AT)
  expect(scale.bars[0]?.top).toBeCloseTo(50, 5)
  expect(niceTicks(91_210, 91_680)).toEqual([91_300, 91_400, 91_500, 91_600])
  expect(
    timeTicks({ startMs: AT - 5_400_000, endMs: AT }).map((ms) => new Date(ms).toISOString().slice(11, 16)),
  ).toEqual(['13:15', '13:30', '13:45', '14:00', '14:15'])
})

test('gaps are bands of the chart and positions on the day, and can be stepped through', () => {
  const gaps = [gap('2026-11-17T14:20:07Z', '2026-11-17T14:20:49Z'), gap(null, '2026-11-17T16:00:00Z')]
  const scale = candleScale([], '1m', 90, AT)
  expect(gapsWithin(gaps, scale)).toEqual([gaps[0]])
  const dayMs = Date.parse('2026-11-17')
  expect(placeOnDay(gap('2026-11-16T12:00:00Z', '2026-11-17T12:00:00Z'), dayMs)).toEqual({ left: 0, width: 50 })
  expect(placeOnDay(gap(null, '2026-11-16T12:00:00Z'), dayMs)).toBeUndefined()
  expect(nextGap(gaps, AT)).toBe(Date.parse('2026-11-17T16:00:00Z'))
  expect(nextGap(gaps, AT + 7_200_000)).toBeUndefined()
})

test('the day is a tape of trades per ten minutes', () => {
  const slots = daySlots(
    [bar('2026-11-17T00:10:00Z', ['1', '1', '1', '1'], 100), bar('2026-11-17T23:50:00Z', ['1', '1', '1', '1'], 25)],
    Date.parse('2026-11-17'),
  )
  expect(slots).toHaveLength(144)
  expect([slots[0], slots[1], slots[143]]).toEqual([{}, { up: 1 }, { up: 0.5 }])
})

test('the 24-hour figures are calculated from the trades of that time', () => {
  const bars = [
    bar('2026-11-16T14:00:00Z', ['1', '999', '1', '1']),
    bar('2026-11-16T20:00:00Z', ['100', '110.50', '99', '101']),
    bar('2026-11-17T14:30:00Z', ['101', '104', '98.25', '102']),
  ]
  const figures = dayFigures(bars, AT)
  expect(figures).toMatchObject({ high: '110.50', low: '98.25', volume: 3, trades: 6 })
  expect(figures?.change).toBeCloseTo(0.02, 10)
  expect(dayFigures([], AT)).toBeUndefined()
})

test('the book is summed from the best price outwards, and the spread is exact', () => {
  const book = {
    bids: [
      ['91413.60', '1.5'],
      ['91413.4', '0.5'],
      ['91413.1', '9'],
    ],
    asks: [
      ['91413.7', '0.25'],
      ['91414', '0.75'],
    ],
  } satisfies Parameters<typeof bookRows>[0]
  const { asks, bids } = bookRows(book, 2)
  expect(asks.map(({ price, sum, share }) => [price, sum, share])).toEqual([
    ['91414', 1, 0.5],
    ['91413.7', 0.25, 0.125],
  ])
  expect(bids.map(({ price, sum, share }) => [price, sum, share])).toEqual([
    ['91413.60', 1.5, 0.75],
    ['91413.4', 2, 1],
  ])
  expect(spreadOf(book)).toBe('0.10')
  expect(spreadOf({ bids: [['101', '1']], asks: [['100.5', '1']] })).toBe('-0.5')
  expect(spreadOf({ bids: [], asks: [] })).toBeUndefined()
})

test('instruments are found by symbol, venue and alias, those that begin with the word first', () => {
  const others = [
    { ...BTC, instrument_id: 2, venue: 'kraken', symbol: 'WBTC-BTC', aliases: [] },
    BTC,
    { ...BTC, instrument_id: 3, venue: 'kraken', symbol: 'ETH-USD', venue_symbol: 'ETH/USD', aliases: [] },
  ]
  const found = (query: string) => findInstruments(others, query).map(({ symbol }) => symbol)
  expect(found('btc')).toEqual(['BTC-USDT', 'WBTC-BTC'])
  expect(found('kraken eth')).toEqual(['ETH-USD'])
  expect(found('xbt')).toEqual(['BTC-USDT'])
  expect(found('')).toHaveLength(3)
  expect(found('doge')).toEqual([])
})

test('decimals keep all digits and have equal length within a column', () => {
  const digits = fractionDigits(['91413.6', '91413.66', '9'])
  expect(digits).toBe(2)
  expect(['91413.6', '91413.66', '9'].map((price) => showDecimal(price, digits))).toEqual([
    '91,413.60',
    '91,413.66',
    '9.00',
  ])
  expect(showDecimal('9118402', 0)).toBe('9,118,402')
})

test('a call is a command that a shell runs unchanged', () => {
  expect(curlOf('/api/v1/trades/bars', { symbols: ["O'X"] }, 'https://api.example')).toBe(
    `curl 'https://api.example/api/v1/trades/bars' \\
  -H "Authorization: Bearer $TAPELINE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "symbols": [
    "O'\\''X"
  ]
}'`,
  )
})
