import type { L2Event, Trade } from '@tapeline/contracts/market-data/http'
import { NO_RECORDINGS } from '@tapeline/testing/recordings'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  compareQuotes,
  krakenSums,
  matchingSums,
  placesOfTrades,
  quotesByUpdate,
  replayBook,
} from '../../test/oracles/book-oracles.fixture.ts'
import { openLivePath } from '../../test/oracles/live-path.fixture.ts'
import { callList, listAll, openImportPath, type RecordedPath } from '../../test/oracles/recorded-path.fixture.ts'
import {
  binanceFiles,
  coinbaseFile,
  CONNECT,
  equityFiles,
  hasRecordings,
  krakenFile,
  linesOf,
  rowsOfZip,
} from '../../test/oracles/recordings.fixture.ts'
import { canonicalDecimal } from '../decimal.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

if (!hasRecordings) test.skip(NO_RECORDINGS, () => {})

const SECOND_DAY_NS = '1723161600000000000'
const BTC = ['binance', 'BTC-USDT'] as const
const symbolsOf = (venue: 'kraken' | 'coinbase') => CONNECT[venue].slice(venue.length + 1).split(',')

/** The oracles of the recorded data hold for what comes out of both ways into the store. */
describe.skipIf(!hasRecordings).each([
  ['import', openImportPath],
  ['connector, Kafka, store and stream', openLivePath],
] as const)('%s', (_name, open) => {
  let path: RecordedPath
  let binance: string[][]
  let kraken: string[]
  let coinbase: string[]
  let events: L2Event[]
  let trades: Trade[]

  beforeAll(async () => {
    binance = await Promise.all(binanceFiles.map(linesOf))
    ;[kraken, coinbase] = await Promise.all([linesOf(krakenFile), linesOf(coinbaseFile)])
    path = await open()
    await path.play('binance', binance)
    await path.play('kraken', [kraken])
    await path.play('coinbase', [coinbase])
    for (const file of Object.values(equityFiles)) await path.playEquity(file)
    events = await path.records('l2events', ...BTC)
    trades = await path.records('trades', ...BTC)
  })
  afterAll(() => path.close())

  test('Binance: one snapshot, and every update follows the one before, over both files', () => {
    const [snapshot, first] = events
    expect([snapshot?.type, snapshot?.venue_last_id]).toEqual(['snapshot', '50093239218'])
    const updates = events.slice(1)
    expect(updates).toHaveLength(6_493)
    expect(updates.every(({ type }) => type === 'update')).toBe(true)
    expect(Number(first?.venue_first_id)).toBeLessThanOrEqual(50_093_239_219)
    expect(Number(first?.venue_last_id)).toBeGreaterThanOrEqual(50_093_239_219)
    const isNext = (event: L2Event, index: number) =>
      index === 0 || Number(event.venue_first_id) === Number(updates[index - 1]?.venue_last_id) + 1
    expect(updates.filter((event, index) => !isNext(event, index))).toEqual([])
    const second = updates.findIndex(({ venue_first_id }) => venue_first_id === '50093421585')
    expect(updates[second - 1]?.venue_last_id).toBe('50093421584')
    expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_event, index) => index + 1))
  })

  test('Binance: the replayed best bid and offer are those of the venue, and the book is never crossed', () => {
    expect(compareQuotes(events, quotesByUpdate(binance.flat()))).toEqual({
      compared: 564 + 508,
      different: [],
      crossed: 0,
      absentRemovals: 26_140,
    })
  })

  test('Binance: trade ids are contiguous; ties on a millisecond are kept', () => {
    const ids = trades.map(({ trade_id }) => Number(trade_id))
    expect(ids).toEqual(Array.from({ length: 19_904 }, (_value, index) => 3_735_683_259 + index))
    const isFirstDay = ({ ts_event }: Trade) => ts_event < SECOND_DAY_NS
    expect(tiesOf(trades.filter(isFirstDay))).toEqual({ percent: 76.8, largest: 735 })
    expect(tiesOf(trades.filter((trade) => !isFirstDay(trade)))).toEqual({ percent: 74.7, largest: 107 })
  })

  test('Binance: both clocks are kept, although the clock of the venue is ahead', () => {
    const aheadMs = events
      .filter(({ type }) => type === 'update')
      .map(({ ts_event, ts_recv }) => Number(BigInt(ts_event) - BigInt(ts_recv)) / 1e6)
      .toSorted((one, other) => one - other)
    expect(Math.round(aheadMs[Math.floor(aheadMs.length / 2)] ?? 0)).toBe(1_272)
    expect(Math.round(aheadMs[0] ?? 0)).toBeGreaterThanOrEqual(1_259)
    expect(Math.round(aheadMs.at(-1) ?? 0)).toBeLessThanOrEqual(1_276)
  })

  test('Binance: every price and size is the decimal that was sent', () => {
    const sent = new Map<string, { b: [string, string][]; a: [string, string][] }>()
    for (const line of binance.flat().filter((one) => one.includes('depthUpdate'))) {
      const { data } = JSON.parse(line.slice(line.indexOf('{')))
      sent.set(String(data.u), data)
    }
    const canonical = (levels: [string, string][] = []) => levels.map((level) => level.map(canonicalDecimal).join(' '))
    const different = events.slice(1).filter(({ venue_last_id, bids, asks }) => {
      const { b, a } = sent.get(venue_last_id ?? '') ?? {}
      const isSame = (one: string[], other: string[]) => one.toSorted().join() === other.toSorted().join()
      return !isSame(canonical(b), canonical(bids)) || !isSame(canonical(a), canonical(asks))
    })
    expect(different).toEqual([])
    const sizes = events.flatMap(({ bids, asks }) => [...bids, ...asks].map(([, size]) => size))
    expect(sizes.filter((size) => (size.split('.')[1] ?? '').length > 5)).toHaveLength(7)
  })

  test('Kraken: every update has the checksum of the venue', async () => {
    const sums = krakenSums(kraken)
    let [matching, updates] = [0, 0]
    for (const symbol of symbolsOf('kraken')) {
      const found = await path.records('l2events', 'kraken', symbol)
      matching += matchingSums(found, sums)
      updates += found.filter(({ type }) => type === 'update').length
    }
    expect([matching, updates]).toEqual([4_269, 4_269])
  })

  test('Kraken: the one update whose asks and bids came as two objects has both', async () => {
    const [line = '', ...others] = kraken.filter((one) => /^\d+\.\d+: \[\d+,\{"a".*\},\{"b"/.test(one))
    expect(others).toEqual([])
    const [at = ''] = line.split(':')
    const found = await path.records('l2events', 'kraken', 'SC-EUR')
    const event = found.find(({ ts_recv }) => ts_recv === at.replace('.', '').padEnd(19, '0'))
    expect([event?.bids.length, event?.asks.length].every((count) => (count ?? 0) > 0)).toBe(true)
  })

  test('Coinbase: books are never crossed, and trades are where their maker was', async () => {
    const lastMatches = new Set(coinbase.flatMap((line) => /"last_match","trade_id":(\d+)/.exec(line)?.[1] ?? []))
    const sum = { buyAtBid: 0, sellAtAsk: 0, inside: 0, contradicting: 0 }
    for (const symbol of symbolsOf('coinbase')) {
      const found = await path.records('l2events', 'coinbase', symbol)
      expect(replayBook(found, () => {}).crossed).toBe(0)
      const matches = (await path.records('trades', 'coinbase', symbol)).filter(
        ({ trade_id }) => !lastMatches.has(trade_id ?? ''),
      )
      const places = placesOfTrades(found, matches)
      for (const name of ['buyAtBid', 'sellAtAsk', 'inside', 'contradicting'] as const) sum[name] += places[name]
    }
    expect(sum).toEqual({ buyAtBid: 24, sellAtAsk: 36, inside: 37, contradicting: 0 })
  })

  test('Coinbase: trade ids are contiguous, and the side is that of the ticker, the taker', async () => {
    const tickers = new Map<string, string>()
    for (const line of coinbase) {
      const [, id = '', side = ''] = /"type":"ticker".*"product_id":"([^"]+)".*"side":"(\w+)"/.exec(line) ?? []
      if (id !== '') tickers.set(`${id} ${/"trade_id":(\d+)/.exec(line)?.[1]}`, side)
    }
    let same = 0
    for (const symbol of symbolsOf('coinbase')) {
      const found = await path.records('trades', 'coinbase', symbol)
      same += found.filter(({ trade_id, side }) => tickers.get(`${symbol} ${trade_id}`) === side).length
      const ids = found.map(({ trade_id }) => Number(trade_id))
      expect(ids).toEqual(ids.map((_id, index) => (ids[0] ?? 0) + index))
    }
    expect(same).toBe(107)
  })

  test.each([
    ['SPY-USD', 250_601, '97062721', { percent: 68.2, largest: 28 }, 47_880],
    ['IBM-USD', 33_381, '5564671', { percent: 34.9, largest: 16 }, 2_149],
  ])('%s: every row is a trade, also those that are equal to another', async (...[symbol, rows, size, ties, equal]) => {
    const found = await path.records('trades', 'us-equity', symbol)
    expect(found.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: rows }, (_row, n) => n + 1))
    expect(String(found.reduce((sum, trade) => sum + BigInt(trade.size), 0n))).toBe(size)
    expect(tiesOf(found)).toEqual(ties)
    const contents = found.map((trade) => [trade.ts_event, trade.price, trade.size, ...(trade.conditions ?? [])].join())
    expect(rows - new Set(contents).size).toBe(equal)
  })

  test('IBM: every row of quotes is an event with the side that the row states', async () => {
    const rows = await rowsOfZip(equityFiles.ibmQuotes)
    const found = await path.records('l2events', 'us-equity', 'IBM-USD')
    expect([found.length, rows.length - new Set(rows).size]).toEqual([125_750, 15_571])
    expect(tiesOf(found)).toEqual({ percent: 100, largest: 40 })
    const states = (levels: L2Event['bids'], price: string, size: string) =>
      price === '0' || ((Number(levels[0]?.[0]) * 10_000).toFixed(0) === price && levels[0]?.[1] === size)
    const different = rows.filter((row, index) => {
      const [, bid = '', bidSize = '', ask = '', askSize = ''] = row.split(',')
      const { bids = [], asks = [] } = found[index] ?? {}
      return !states(bids, bid, bidSize) || !states(asks, ask, askSize)
    })
    expect(different).toEqual([])
  })

  test.each([
    ['asc', 97],
    ['desc', 97],
    ['asc', 1_000],
  ] as const)('pages of the list call, %s by %i, are one scan, and what came in', async (order, limit) => {
    const filter = { venues: ['binance'], symbols: ['BTC-USDT'], order, include: ['conditions'] }
    const walked = await listAll(path.app, 'trades', filter, limit)
    expect(order === 'asc' ? walked : walked.toReversed()).toEqual(trades)
    const buys = await listAll(path.app, 'trades', { ...filter, side: 'buy', size: { gte: '0.1' } }, limit)
    const expected = trades.filter(({ side, size }) => side === 'buy' && Number(size) >= 0.1)
    expect(order === 'asc' ? buys : buys.toReversed()).toEqual(expected)
  })

  test('the latest record is the first of a list that descends', async () => {
    for (const channel of ['trades', 'l2events'] as const) {
      for (const [venue, symbol] of [BTC, ['kraken', 'SC-EUR'], ['coinbase', 'SKL-USD'], ['us-equity', 'IBM-USD']]) {
        if (venue === 'kraken' && channel === 'trades') continue
        const filter = { venues: [venue], symbols: [symbol] }
        const latest = await callList(path.app, channel, filter, 'latest')
        const list = await callList(path.app, channel, { ...filter, order: 'desc', limit: 1 })
        expect(latest.data).toHaveLength(1)
        expect(latest.data).toEqual(list.data)
      }
    }
  })
})

/** Share of records whose event time is that of another one, and the most that have the same. */
function tiesOf(records: readonly { ts_event: string }[]): { percent: number; largest: number } {
  const counts = [...Map.groupBy(records, ({ ts_event }) => ts_event).values()].map(({ length }) => length)
  const tied = counts.filter((count) => count > 1).reduce((sum, count) => sum + count, 0)
  return { percent: Math.round((1_000 * tied) / records.length) / 10, largest: Math.max(...counts) }
}
