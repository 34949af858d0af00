import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFiles } from '../../test/import-files.fixture.ts'
import { createDeps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { createInstrumentCache } from '../instruments/instrument-cache.ts'
import { migrations } from '../migrations/all.ts'
import { NANOSECONDS_MAX } from '../nanoseconds.ts'
import { createQuoteBuilder } from '../quotes/quote-builder.ts'
import { readQuotes } from '../quotes/read-quotes.ts'
import type { Level } from '../store/record.ts'
import type { Tables } from '../tables.ts'
import { krakenChecksum } from '../venues/kraken/kraken-book.ts'
import { createPriceLevels } from '../venues/price-levels.ts'
import { type BookEvent, bookEventOf } from './book-event.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { readBook } from './read-book.ts'
import { createCheckpointWriter } from './write-checkpoints.ts'

const binance = ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'].map(
  (name) => recording('binance-spot', name) ?? '',
)
const kraken = recording('kraken', 'KRAKEN.ws.50.0.gz') ?? ''
const coinbase = recording('coinbase', 'COINBASE.ws.28.0.gz') ?? ''
const hasRecordings = ![...binance, kraken, coinbase].includes('')
const TIMEOUT_MS = 300_000
const MOMENTS = 30
const CPU_MS_MAX = 20
const ALL = 1_000_000

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
afterAll(drop)

if (!hasRecordings) test.skip(NO_RECORDINGS, () => {})

let instruments: readonly RegisteredInstrument[] = []
beforeAll(async () => {
  if (!hasRecordings) return
  await importFiles(deps, 'binance-spot', binance)
  for (const file of [kraken, coinbase]) await importFiles(deps, undefined, [file])
  const cache = createInstrumentCache(deps.db)
  instruments = (await cache.list()).filter(({ channels }) => channels.l2_event.rows > 0)
  const write = createCheckpointWriter({ ...deps, instruments: cache })
  while ((await write()) > 0);
}, TIMEOUT_MS)

test.skipIf(!hasRecordings)(
  'a book at any moment is the replay of all events in sequence, from every checkpoint',
  async () => {
    expect(instruments).toHaveLength(21)
    const checks = { compared: 0, unordered: 0 }
    for (const instrument of instruments) await compareBooks(instrument, checks)
    expect(checks.compared).toBeGreaterThan(450)
    // Coinbase stamps some updates before the receipt of the snapshot that they follow.
    expect(checks.unordered).toBe(34)
  },
  TIMEOUT_MS,
)

async function compareBooks(instrument: RegisteredInstrument, checks: { compared: number; unordered: number }) {
  const events = await eventsOf(instrument)
  const whole = createOrderBook(instrument.venue)
  const step = Math.max(1, Math.floor(events.length / MOMENTS))
  let latest = 0n
  for (const [index, event] of events.entries()) {
    const time = BigInt(event.tsEvent)
    if (time < latest) checks.unordered += 1
    if (time > latest) latest = time
    whole.apply(event)
    const next = events[index + 1]
    // Only where no later event of the sequence happened up to this moment.
    if (index % step !== 0 || (next !== undefined && BigInt(next.tsEvent) <= latest)) continue
    const { book } = await readBook(deps, instrument, latest)
    expect(book.place()?.sequence).toBe(event.sequence)
    expect(JSON.stringify(book.top(ALL)) === JSON.stringify(whole.top(ALL)), event.tsEvent).toBe(true)
    checks.compared += 1
  }
}

test.skipIf(!hasRecordings)(
  'every Kraken book has the checksum that the venue sent with each update',
  async () => {
    const sums = checksumsOf(kraken)
    let compared = 0
    for (const instrument of instruments.filter(({ venue }) => venue === 'kraken')) {
      const book = createOrderBook(instrument.venue)
      for (const event of await eventsOf(instrument)) {
        book.apply(event)
        const sum = sums.get(`${instrument.venueSymbol} ${event.tsRecv}`)
        if (event.type !== 'update' || sum === undefined) continue
        expect(checksumOf(book, sum)).toBe(sum.crc)
        compared += 1
      }
    }
    expect(compared).toBe(4_269)
  },
  TIMEOUT_MS,
)

test.skipIf(!hasRecordings)(
  `a book at a random moment usually takes less than ${CPU_MS_MAX} ms of CPU`,
  async () => {
    const instrument = instruments.find(({ venue }) => venue === 'binance')
    if (instrument === undefined) throw new Error('no Binance book')
    const { firstTsEvent, lastTsEvent } = instrument.channels.l2_event
    const [first, last] = [BigInt(firstTsEvent ?? 0), BigInt(lastTsEvent ?? 0)]
    const costs: number[] = []
    for (let index = 0; index < 200; index += 1) {
      const at = first + ((last - first) * BigInt((index * 7_919) % 200)) / 200n
      const before = process.cpuUsage()
      const { book } = await readBook(deps, instrument, at)
      book.top(1_000)
      const { user, system } = process.cpuUsage(before)
      costs.push((user + system) / 1_000)
    }
    // The median: one garbage collection must not fail the test.
    expect(costs.toSorted((one, other) => one - other)[100]).toBeLessThan(CPU_MS_MAX)
  },
  TIMEOUT_MS,
)

test.skipIf(!hasRecordings)(
  'quotes of a range are the changes of the best levels when all events are replayed in sequence',
  async () => {
    let compared = 0
    for (const instrument of instruments.filter(({ venue }) => venue === 'coinbase')) {
      const builder = createQuoteBuilder(createOrderBook(instrument.venue))
      const all = (await eventsOf(instrument)).flatMap((event) => builder.apply({ event, effectiveTs: '0' }) ?? [])
      const { quotes } = await readQuotes(deps, instrument, { from: 0n, until: NANOSECONDS_MAX }, 1_000_000)
      expect(quotes.map((quote) => ({ ...quote, tsEvent: '0' }))).toEqual(all)
      const middle = BigInt(quotes[Math.floor(quotes.length / 2)]?.tsEvent ?? 0)
      const range = { from: middle, until: NANOSECONDS_MAX }
      const later = quotes.filter(({ tsEvent }) => BigInt(tsEvent) >= middle)
      expect((await readQuotes(deps, instrument, range, 1_000_000)).quotes).toEqual(later)
      compared += quotes.length
    }
    expect(compared).toBeGreaterThan(1_000)
  },
  TIMEOUT_MS,
)

/** All events of a book in the order of their sequences, straight from the table. */
async function eventsOf({ instrumentId }: RegisteredInstrument): Promise<BookEvent[]> {
  const { rows } = await pool.query<(string | null)[]>({
    text: `select instrument_id, sequence, ts_event, ts_recv, flags, type, book_epoch, bids, asks, depth_limit, source_id,
      venue_first_id, venue_last_id, venue_prev_id, gap_reason, gap_from_ts
      from l2_event where instrument_id = $1 order by sequence`,
    values: [instrumentId],
    rowMode: 'array',
    types: { getTypeParser: () => (text: string) => text },
  })
  return rows.map((row) => bookEventOf(row.map((column) => column ?? '')))
}

type Sum = { crc: number; priceDigits: number; sizeDigits: number }

type Groups = Readonly<Record<'seconds' | 'fraction' | 'frame' | 'pair' | 'price' | 'size', string>>
const NONE: Groups = { seconds: '', fraction: '', frame: '', pair: '', price: '', size: '' }
const LINE = /^(?<seconds>\d+)\.(?<fraction>\d+): (?<frame>\[.*"book-1000","(?<pair>[A-Z/]+)"\])$/
const LEVEL = /\["\d+\.(?<price>\d+)","\d+\.(?<size>\d+)"/

/** The checksum of each update by pair and time of receipt, with the digits that the venue writes. */
function checksumsOf(file: string): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
    const { seconds, fraction, frame, pair } = { ...NONE, ...LINE.exec(line)?.groups }
    const crc = /"c":"(\d+)"/.exec(frame)?.[1]
    if (crc === undefined) continue
    const { price, size } = { ...NONE, ...LEVEL.exec(frame)?.groups }
    const sum = { crc: Number(crc), priceDigits: price.length, sizeDigits: size.length }
    sums.set(`${pair} ${seconds}${fraction.padEnd(9, '0')}`, sum)
  }
  return sums
}

function checksumOf(book: OrderBook, { priceDigits, sizeDigits }: Sum): number {
  const padded = ([price, size]: Level): Level => [pad(price, priceDigits), pad(size, sizeDigits)]
  const { bids, asks } = book.top(10)
  const sides = { bids: createPriceLevels('bids'), asks: createPriceLevels('asks') }
  sides.bids.apply(bids.map(padded))
  sides.asks.apply(asks.map(padded))
  return krakenChecksum(sides.asks, sides.bids)
}

function pad(decimal: string, digits: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.padEnd(digits, '0')}`
}
