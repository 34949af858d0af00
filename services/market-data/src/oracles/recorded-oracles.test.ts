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
import { differentLevels, differentQuotes } from '../../test/oracles/raw-records.fixture.ts'
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

vi.setConfig({ testTimeout: 600_000, hookTimeout: 1_500_000 })

/** Trades of the first of the two files. */
const FIRST_FILE_TRADES = 9_757
const { ibmTrades, spyTrades } = equityFiles
const IBM = { symbol: 'IBM-USD', file: ibmTrades, rows: 33_381, size: '5564671', equal: 2_149, ties: tied(34.9, 16) }
const SPY = { symbol: 'SPY-USD', file: spyTrades, rows: 250_601, size: '97062721', equal: 47_880, ties: tied(68.2, 28) }
const EQUITIES = [IBM, SPY]
const BTC = ['binance', 'BTC-USDT'] as const
const symbolsOf = (venue: 'kraken' | 'coinbase') => CONNECT[venue].slice(venue.length + 1).split(',')

type Played = {
  path: RecordedPath
  binance: string[][]
  kraken: string[]
  coinbase: string[]
  events: L2Event[]
  trades: Trade[]
}

const oracles: [name: string, check: (played: Played) => Promise<void>][] = [
  [
    'Binance: one snapshot, and every update follows the one before, over both files',
    async ({ events }) => {
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
    },
  ],
  [
    'Binance: the replayed best bid and offer are those of the venue, and the book is never crossed',
    async ({ binance, events }) => {
      expect(compareQuotes(events, quotesByUpdate(binance.flat()))).toEqual({
        compared: 564 + 508,
        different: [],
        crossed: 0,
        absentRemovals: 26_140,
      })
    },
  ],
  [
    'Binance: trade ids are contiguous; ties on a millisecond are kept',
    async ({ trades }) => {
      const ids = trades.map(({ trade_id }) => Number(trade_id))
      expect(ids).toEqual(Array.from({ length: 19_904 }, (_value, index) => 3_735_683_259 + index))
      expect(tiesOf(trades.slice(0, FIRST_FILE_TRADES))).toEqual(tied(76.8, 735))
      expect(tiesOf(trades.slice(FIRST_FILE_TRADES))).toEqual(tied(74.7, 107))
    },
  ],
  [
    'Binance: both clocks are kept, although the clock of the venue is ahead',
    async ({ events }) => {
      const aheadMs = events
        .filter(({ type }) => type === 'update')
        .map(({ ts_event, ts_recv }) => Number(BigInt(ts_event) - BigInt(ts_recv)) / 1e6)
        .toSorted((one, other) => one - other)
      const [least = 0, median = 0, most = 0] = [0, aheadMs.length >> 1, aheadMs.length - 1].map((at) => aheadMs[at])
      expect([Math.round(least), Math.floor(median), Math.round(most)]).toEqual([1_259, 1_272, 1_276])
    },
  ],
  [
    'Binance: every price and size is the decimal that was sent',
    async ({ binance, events }) => {
      expect(differentLevels(events.slice(1), binance.flat())).toEqual([])
      const sizes = events.flatMap(({ bids, asks }) => [...bids, ...asks].map(([, size]) => size))
      expect(sizes.filter((size) => (size.split('.')[1] ?? '').length > 5)).toHaveLength(7)
    },
  ],
  [
    'Kraken: every update has the checksum of the venue',
    async ({ path, kraken }) => {
      const sums = krakenSums(kraken)
      let [matching, updates] = [0, 0]
      for (const symbol of symbolsOf('kraken')) {
        const found = await path.records('l2events', 'kraken', symbol)
        matching += matchingSums(found, sums)
        updates += found.filter(({ type }) => type === 'update').length
      }
      expect([matching, updates]).toEqual([4_269, 4_269])
    },
  ],
  [
    'Kraken: the one update whose asks and bids came as two objects has both',
    async ({ path, kraken }) => {
      const [line = '', ...others] = kraken.filter((one) => /^\d+\.\d+: \[\d+,\{"a".*\},\{"b"/.test(one))
      expect(others).toEqual([])
      const [at = ''] = line.split(':')
      const found = await path.records('l2events', 'kraken', 'SC-EUR')
      const event = found.find(({ ts_recv }) => ts_recv === at.replace('.', '').padEnd(19, '0'))
      expect([event?.bids.length, event?.asks.length].every((count) => (count ?? 0) > 0)).toBe(true)
    },
  ],
  [
    'Coinbase: books are never crossed, and trades are where their maker was',
    async ({ path, coinbase }) => {
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
    },
  ],
  [
    'Coinbase: trade ids are contiguous, and the side is that of the ticker, the taker',
    async ({ path, coinbase }) => {
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
    },
  ],
  [
    'IBM: every row of quotes is an event with the side that the row states',
    async ({ path }) => {
      const rows = await rowsOfZip(equityFiles.ibmQuotes)
      const found = await path.records('l2events', 'us-equity', 'IBM-USD')
      expect([found.length, rows.length - new Set(rows).size]).toEqual([125_750, 15_571])
      expect(tiesOf(found)).toEqual(tied(100, 40))
      expect(differentQuotes(found, rows)).toEqual([])
    },
  ],
  [
    'the latest record is the first of a list that descends',
    async ({ path }) => {
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
    },
  ],
]

/** Records that were imported and records that arrived live must both satisfy the oracles of the recorded data. */
describe.each([
  ['import', openImportPath],
  ['connector, Kafka, store and stream', openLivePath],
] as const)('%s', (_name, open) => {
  if (!hasRecordings) return test.skip(NO_RECORDINGS, () => {})
  let played: Played

  beforeAll(async () => {
    const binance = await Promise.all(binanceFiles.map(linesOf))
    const [kraken, coinbase] = await Promise.all([linesOf(krakenFile), linesOf(coinbaseFile)])
    const path = await open()
    await path.play('binance', binance)
    await path.play('kraken', [kraken])
    await path.play('coinbase', [coinbase])
    for (const { file } of EQUITIES) await path.playEquity(file)
    await path.playEquity(equityFiles.ibmQuotes)
    const [events, trades] = [await path.records('l2events', ...BTC), await path.records('trades', ...BTC)]
    played = { path, binance, kraken, coinbase, events, trades }
  })
  afterAll(() => played.path.close())

  test.each(oracles)('%s', (_oracle, expectIt) => expectIt(played))

  test.each(EQUITIES)('$symbol: every row is a trade, also those that are equal to another', async (of) => {
    const found = await played.path.records('trades', 'us-equity', of.symbol)
    expect(found.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: of.rows }, (_row, n) => n + 1))
    expect(String(found.reduce((sum, { size }) => sum + BigInt(size), 0n))).toBe(of.size)
    expect(tiesOf(found)).toEqual(of.ties)
    const contents = found.map((trade) => [trade.ts_event, trade.price, trade.size, ...(trade.conditions ?? [])].join())
    expect(of.rows - new Set(contents).size).toBe(of.equal)
  })

  test.each([
    ['asc', 97],
    ['desc', 97],
    ['asc', 1_000],
  ] as const)('pages of the list call, %s by %i, are one scan, and what came in', async (order, limit) => {
    const { path, trades } = played
    const filter = { venues: ['binance'], symbols: ['BTC-USDT'], order, include: ['conditions'] }
    const walked = await listAll(path.app, 'trades', filter, limit)
    expect(order === 'asc' ? walked : walked.toReversed()).toEqual(trades)
    const buys = await listAll(path.app, 'trades', { ...filter, side: 'buy', size: { gte: '0.1' } }, limit)
    const expected = trades.filter(({ side, size }) => side === 'buy' && Number(size) >= 0.1)
    expect(order === 'asc' ? buys : buys.toReversed()).toEqual(expected)
  })
})

function tied(percent: number, largest: number) {
  return { percent, largest }
}

/** Share of records with an event time that another record has too, and the largest number with the same time. */
function tiesOf(records: readonly { ts_event: string }[]): ReturnType<typeof tied> {
  const counts = [...Map.groupBy(records, ({ ts_event }) => ts_event).values()].map(({ length }) => length)
  const sum = counts.filter((count) => count > 1).reduce((total, count) => total + count, 0)
  return tied(Math.round((1_000 * sum) / records.length) / 10, Math.max(...counts))
}
