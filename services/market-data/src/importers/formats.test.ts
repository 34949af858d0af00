import { deflateRawSync, crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseBinanceLine } from './binance-frames.ts'
import { binanceInstrument } from './binance-symbol.ts'
import { parseLeanName, parseLeanRow } from './lean-rows.ts'
import { newYorkMidnight } from './new-york-midnight.ts'
import { progressText } from './progress-bar.ts'
import { inflateEntry, readZip } from './read-zip.ts'

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
  expect(parseBinanceLine(frame(TRADE))).toEqual({
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
  expect(parseBinanceLine(frame({ ...TRADE, m: false }))).toMatchObject({ trade: { side: 'buy' } })
})

test('times of 13 digits are milliseconds, of 16 digits microseconds', () => {
  expect(parseBinanceLine(frame({ ...TRADE, T: 1723161255342001 }))).toMatchObject({
    trade: { tsEvent: '1723161255342001000' },
  })
})

test('levels come best first, whatever order the venue sent', () => {
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
  expect(parseBinanceLine(frame(update))).toMatchObject({
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
  ['1723161254087896568 {"stream":', 'holds no valid JSON'],
  [frame({ ...TRADE, p: 61837.63 }), 'p is missing or not text'],
  [frame({ ...TRADE, p: '6e4' }), '6e4 is not a decimal'],
  [frame({ ...TRADE, T: 17231612 }), 'no time in milliseconds'],
  [frame({ e: 'depthUpdate', s: 'BTCUSDT', E: 1723161255408, U: 1, u: 2 }), 'b is not a list'],
])('%s is refused: %s', (line, message) => {
  expect(() => parseBinanceLine(line)).toThrow(message)
})

test('native symbols become BASE-QUOTE', () => {
  expect(binanceInstrument('BTCUSDT')).toMatchObject({ symbol: 'BTC-USDT', base: 'BTC', quote: 'USDT' })
  expect(binanceInstrument('ETHBTC')?.symbol).toBe('ETH-BTC')
  expect(binanceInstrument('BTCFDUSD')?.symbol).toBe('BTC-FDUSD')
  expect(binanceInstrument('USDT')).toBeUndefined()
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

test('there is no 31 February', () => {
  expect(newYorkMidnight('20240231')).toBeUndefined()
})

test('a row of a stock day has its time from the name, its id from day and row', () => {
  const midnightMs = newYorkMidnight('20131007') ?? 0
  expect(parseLeanRow('14400464,1674100,100,P,20002000,1', 3, { day: '20131007', midnightMs })).toMatchObject({
    sourceId: '20131007:3',
    hasTradeId: false,
    tsEvent: '1381132800464000000',
    price: '167.41',
    size: '100',
    side: 'unknown',
    conditions: ['exchange:P', 'sale:20002000', 'suspicious'],
  })
  expect(() => parseLeanRow('14400464,1674100,100,P', 3, { day: '20131007', midnightMs })).toThrow('is not ms,price')
  expect(parseLeanName('20131007_spy_Trade_Tick.csv')).toEqual({ day: '20131007', ticker: 'SPY' })
  expect(parseLeanName('20131007_spy_Quote_Tick.csv')).toBeUndefined()
})

/** A zip archive with one entry, by hand. */
function zip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(crc32(content), 16)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(content.length, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(header.length + name.length + packed.length, 16)
  return Buffer.concat([header, Buffer.from(name), packed, entry, Buffer.from(name), end])
}

async function contentOf(archive: Buffer): Promise<string> {
  const [entry] = readZip(archive)
  if (entry === undefined) throw new Error('no entry')
  return Buffer.concat(await Array.fromAsync(inflateEntry(entry))).toString()
}

test('a zip archive gives back what went in, and a damaged one says so', async () => {
  const content = Buffer.from('1,2,3\n'.repeat(1000))
  const archive = zip('a.csv', content)
  expect(await contentOf(archive)).toBe(content.toString())
  archive.writeUInt32LE(1, archive.length - 22 - 'a.csv'.length - 46 + 16)
  await expect(contentOf(archive)).rejects.toThrow('checksum')
  expect(() => readZip(Buffer.from('not an archive at all, only text'))).toThrow('is not a zip archive')
})

test('progress says share, rows, rate and the time that is left', () => {
  expect(progressText({ share: 0.25, rows: 50_000, elapsedMs: 2_000 })).toBe(
    '██████░░░░░░░░░░░░░░░░░░  25 % · 50,000 rows · 25,000 rows/s · 6 s left',
  )
})
