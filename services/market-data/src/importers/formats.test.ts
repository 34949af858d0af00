import { expect, test } from 'vitest'
import { type BinanceMarket, parseBinanceLine } from '../venues/binance/binance-frames.ts'
import { binanceInstrument } from '../venues/binance/binance-symbol.ts'
import { parseLeanName, parseLeanTrade } from './lean/lean-rows.ts'
import { newYorkMidnight } from './lean/new-york-midnight.ts'
import { progressText } from './progress-bar.ts'

function frame(data: object): string {
  return `1723161254087896568 ${JSON.stringify({ stream: 'x', data })}`
}

const TRADE = {
  e: 'trade',
  E: 1723161255343,
  s: 'BTCUSDT',
  t: 3735683259,
  p: '61837.63000000',
  q: '25.426189',
  T: 1723161255342,
  m: true,
}

test('a trade keeps its decimals, both clocks and the side of the taker', () => {
  expect(parseBinanceLine(frame(TRADE), 'spot')).toEqual({
    kind: 'trade',
    venueSymbol: 'BTCUSDT',
    trade: {
      sourceId: '3735683259',
      hasTradeId: true,
      tsEvent: '1723161255342000000',
      tsRecv: '1723161254087896568',
      price: '61837.63',
      size: '25.426189',
      side: 'sell',
      sideSource: 'venue',
      flags: 1,
      conditions: [],
    },
  })
  expect(parseBinanceLine(frame({ ...TRADE, m: false }), 'spot')).toMatchObject({ trade: { side: 'buy' } })
})

test('times of 13 digits are milliseconds, of 16 digits microseconds', () => {
  expect(parseBinanceLine(frame({ ...TRADE, T: 1723161255342001 }), 'spot')).toMatchObject({
    trade: { tsEvent: '1723161255342001000' },
  })
})

test('levels are ordered best first, regardless of the order of the venue', () => {
  const update = {
    e: 'depthUpdate',
    E: 1723161255408,
    s: 'BTCUSDT',
    U: 8,
    u: 9,
    b: [
      ['9.5', '1'],
      ['10', '0.00'],
    ],
    a: [
      ['12', '1'],
      ['11.0', '2'],
    ],
  }
  expect(parseBinanceLine(frame(update), 'spot')).toMatchObject({
    kind: 'update',
    update: {
      firstId: 8,
      lastId: 9,
      bids: [
        ['10', '0'],
        ['9.5', '1'],
      ],
      asks: [
        ['11', '2'],
        ['12', '1'],
      ],
    },
  })
})

test.each([
  ['{"stream":"x"}', 'does not begin with a time of 19 digits'],
  ['1723161254087896568 {"stream":', 'has no valid JSON'],
  [frame({ ...TRADE, p: 61837.63 }), 'p is missing or not text'],
  [frame({ ...TRADE, p: '6e4' }), '6e4 is not a decimal'],
  [frame({ ...TRADE, T: 17231612 }), 'not a time in milliseconds'],
  [frame({ e: 'depthUpdate', s: 'BTCUSDT', E: 1723161255408, U: 1, u: 2 }), 'b is not a list'],
])('%s is rejected: %s', (line, message) => {
  expect(() => parseBinanceLine(line, 'spot')).toThrow(message)
})

test('a partial book of futures is not taken for an update', () => {
  const update = { e: 'depthUpdate', s: 'BTCUSDT', E: 1723161255408, U: 1, u: 2, pu: 0, b: [['1', '2']], a: [] }
  const line = (stream: string) => `1723161254087896568 ${JSON.stringify({ stream, data: update })}`
  expect(parseBinanceLine(line('btcusdt@depth@100ms'), 'usdm')).toMatchObject({ kind: 'update' })
  for (const stream of ['btcusdt@depth20@100ms', 'btcusdt@depth5']) {
    expect(parseBinanceLine(line(stream), 'usdm')).toEqual({ kind: 'other' })
  }
})

test('native symbols become BASE-QUOTE', () => {
  const symbolOf = (name: string, market: BinanceMarket) => binanceInstrument(name, market)?.symbol
  expect(binanceInstrument('BTCUSDT', 'spot')).toMatchObject({ symbol: 'BTC-USDT', base: 'BTC', quote: 'USDT' })
  expect(symbolOf('ETHBTC', 'spot')).toBe('ETH-BTC')
  expect(symbolOf('BTCFDUSD', 'spot')).toBe('BTC-FDUSD')
  expect(symbolOf('USDT', 'spot')).toBeUndefined()
  expect(binanceInstrument('BTCUSDT', 'usdm')).toMatchObject({ symbol: 'BTC-USDT-PERP', kind: 'perpetual' })
  expect(binanceInstrument('BTCUSDT_240927', 'usdm')).toMatchObject({
    symbol: 'BTC-USDT-20240927',
    kind: 'dated',
    validTo: new Date('2024-09-27T08:00:00Z'),
  })
  expect(binanceInstrument('BTCUSD_PERP', 'coinm')).toMatchObject({
    symbol: 'BTC-USD-PERP',
    sizeUnit: 'contract',
    multiplier: '100',
  })
  expect(symbolOf('ETHUSD_240927', 'coinm')).toBe('ETH-USD-20240927')
  expect(symbolOf('BNBUSD_PERP', 'coinm')).toBe('BNB-USD-PERP')
  expect(symbolOf('DOTUSD_240927', 'coinm')).toBe('DOT-USD-20240927')
  expect(symbolOf('BTCAEUR', 'spot')).toBe('BTC-AEUR')
  expect([symbolOf('BTCUSDT', 'coinm'), symbolOf('BTCUSD_PERP', 'usdm'), symbolOf('BTCUSDT_240927', 'spot')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test.each([
  ['20131007', '2013-10-07T04:00:00.000Z'],
  ['20130115', '2013-01-15T05:00:00.000Z'],
  ['20240310', '2024-03-10T05:00:00.000Z'],
  ['20240311', '2024-03-11T04:00:00.000Z'],
  ['20241103', '2024-11-03T04:00:00.000Z'],
])('midnight in New York on %s is %s', (day, time) => {
  expect(new Date(newYorkMidnight(day) ?? 0).toISOString()).toBe(time)
})

test('31 February is rejected', () => {
  expect(newYorkMidnight('20240231')).toBeUndefined()
})

test('a row of a stock day has its time from the name, its id from day and row', () => {
  const midnightMs = newYorkMidnight('20131007') ?? 0
  expect(parseLeanTrade('14400464,1674100,100,P,20002000,1', 3, { day: '20131007', midnightMs })).toMatchObject({
    sourceId: '20131007:3',
    hasTradeId: false,
    tsEvent: '1381132800464000000',
    price: '167.41',
    size: '100',
    side: 'unknown',
    conditions: ['exchange:P', 'sale:20002000', 'suspicious'],
  })
  expect(() => parseLeanTrade('14400464,1674100,100,P', 3, { day: '20131007', midnightMs })).toThrow('is not ms,price')
  for (const row of ['14400464,0,100,P,0,0', '14400464,1674100,0,P,0,0']) {
    expect(() => parseLeanTrade(row, 3, { day: '20131007', midnightMs })).toThrow('is not above zero: 0')
  }
  expect(parseLeanName('20131007_spy_Trade_Tick.csv')).toEqual({
    day: '20131007',
    ticker: 'SPY',
    type: 'trade',
  })
  expect(parseLeanName('20131007_spy_Second.csv')).toBeUndefined()
})

test('progress shows the share, rows, rate and remaining time', () => {
  expect(progressText({ share: 0.25, rows: 50_000, elapsedMs: 2_000 })).toBe(
    '██████░░░░░░░░░░░░░░░░░░  25 % · 50,000 rows · 25,000 rows/s · 6 s left',
  )
})
