import type { BarPage } from '@tapeline/contracts/market-data/bars'
import { BarPage as BarPageSchema } from '@tapeline/contracts/market-data/bars'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { NANOSECONDS_MAX, parseTime } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { insertTradeGaps } from '../store/trade-gap-queries.ts'
import type { Tables } from '../tables.ts'

const NOW = new Date('2026-03-20T12:00:30Z')
const BTC = 1
const ETH = 2
const pro = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => NOW, 'a secret of at least 32 characters')
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
afterAll(async () => {
  await app.close()
  await drop()
})

const rows: [string, string, string][] = [
  ['2026-03-20T11:58:00.000000001Z', '100.5', '0.1'],
  ['2026-03-20T11:58:20Z', '101', '0.25'],
  ['2026-03-20T11:58:59.999999999Z', '99.75', '0.125'],
  ['2026-03-20T11:59:30Z', '100', '1'],
  ['2026-03-20T12:00:10Z', '102', '2'],
]

function trade(id: string, [time, price, size]: [string, string, string]) {
  return someTrade(id, parseTime(time) ?? 0n, { price, size })
}

beforeAll(async () => {
  await storeAtOnce(pool, [
    { instrumentId: BTC, trades: rows.map((row, index) => trade(`t${index}`, row)), l2Events: [] },
    { instrumentId: ETH, trades: [trade('e', ['2026-03-20T11:58:30Z', '5', '3'])], l2Events: [] },
  ])
})

async function post(body: object, actor = pro) {
  return callAs(app, 'market-data', actor, { method: 'POST', url: '/api/v1/trades/bars', body })
}

async function bars(body: object, actor = pro): Promise<BarPage> {
  const response = await post(body, actor)
  expect(response.statusCode, response.body).toBe(200)
  const page = response.json<BarPage>()
  expect([...Value.Errors(BarPageSchema, page)]).toEqual([])
  expect(response.headers['x-rows-returned']).toBe(String(page.data.length))
  return page
}

test('a bar has the fields of the contract with exact values', async () => {
  const { data } = await bars({ symbols: ['BTC-USDT'], interval: '1m', limit: 1 })
  expect(data).toEqual([
    {
      id: 'sim:BTC-USDT:1m:1774007880000000000',
      venue: 'sim',
      symbol: 'BTC-USDT',
      venue_symbol: 'BTC-USDT',
      instrument_id: 1,
      bar: '1m',
      ts_start: '2026-03-20T11:58:00.000000000Z',
      ts_end: '2026-03-20T11:59:00.000000000Z',
      open: '100.5',
      high: '101',
      low: '99.75',
      close: '99.75',
      volume: '0.475',
      notional: '47.76875',
      vwap: '100.565789473684211',
      count: 3,
      first_sequence: '1',
      last_sequence: '3',
      first_ts_event: '2026-03-20T11:58:00.000000001Z',
      last_ts_event: '2026-03-20T11:58:59.999999999Z',
      finality: 'revisable',
    },
  ])
})

test('minutes without trades have no bar, and the minute that is not over is forming', async () => {
  const { data, has_more, next_cursor } = await bars({ symbols: ['BTC-USDT'] })
  expect(data.map(({ ts_start, count, finality }) => [ts_start.slice(11, 19), count, finality])).toEqual([
    ['11:58:00', 3, 'revisable'],
    ['11:59:00', 1, 'revisable'],
    ['12:00:00', 1, 'forming'],
  ])
  expect(has_more).toBe(false)
  const again = await bars({ cursor: next_cursor })
  expect(again.data.map(({ ts_start, finality }) => [ts_start.slice(11, 19), finality])).toEqual([
    ['12:00:00', 'forming'],
  ])
})

test.each(['asc', 'desc'] as const)(
  'pages of one bar joined are one page, over several instruments: %s',
  async (order) => {
    const body = { venues: ['sim'], interval: '1m', end: '2026-03-20T12:00:00Z', order }
    const whole = await bars(body)
    expect(whole.data.map(({ symbol, ts_start }) => `${symbol} ${ts_start.slice(11, 16)}`)).toEqual(
      inOrder(['BTC-USDT 11:58', 'ETH-USDT 11:58', 'BTC-USDT 11:59'], order),
    )
    const joined = []
    let page = await bars({ ...body, limit: 1 })
    for (;;) {
      joined.push(...page.data)
      if (page.next_cursor === null) break
      page = await bars({ cursor: page.next_cursor })
    }
    expect(joined).toEqual(whole.data)
  },
)

function inOrder<T>(list: T[], order: 'asc' | 'desc'): T[] {
  return order === 'asc' ? list : list.toReversed()
}

test.each(['asc', 'desc'])(
  'the largest time as the end is no end, and as the start it has no bars: %s',
  async (order) => {
    const body = { symbols: ['BTC-USDT'], order }
    for (const interval of ['5s', '1m', '1d']) {
      const end = String(NANOSECONDS_MAX)
      const { data } = await bars({ ...body, interval })
      expect(data.length).toBeGreaterThan(0)
      expect((await bars({ ...body, interval, end })).data).toEqual(data)
      expect((await bars({ ...body, interval, start: end })).data).toEqual([])
    }
  },
)

test('a bar is whole or left out: start and end select by its beginning', async () => {
  const range = { symbols: ['BTC-USDT'], start: '2026-03-20T11:58:00.000000001Z', end: '2026-03-20T11:59:01Z' }
  const { data } = await bars(range)
  expect(data.map(({ ts_start, count }) => [ts_start.slice(11, 19), count])).toEqual([['11:59:00', 1]])
})

test.each([
  [{ ticks: 2 }, [2, 2, 1], ['revisable', 'revisable', 'forming']],
  [{ volume: '0.35' }, [2, 2, 1], ['revisable', 'revisable', 'revisable']],
  [{ dollars: '100' }, [4, 1], ['revisable', 'revisable']],
])('%j closes a bar with the trade that reaches it', async (by, counts, finality) => {
  const body = { symbols: ['BTC-USDT'], ...by }
  const { data } = await bars(body)
  expect(data.map(({ count }) => count)).toEqual(counts)
  expect(data.map((bar) => bar.finality)).toEqual(finality)
  const joined = []
  let page = await bars({ ...body, limit: 1 })
  for (; joined.length < counts.length; page = await bars({ cursor: page.next_cursor })) joined.push(...page.data)
  expect(joined).toEqual(data)
})

describe('request validation', () => {
  test.each([
    [{ interval: '7m' }, '/interval'],
    [{ interval: '1m', ticks: 5 }, '/ticks'],
    [{ ticks: 5, time_zone: 'UTC' }, '/time_zone'],
    [{ ticks: 0 }, '/ticks'],
    [{ volume: '0.0' }, '/volume'],
    [{ time_zone: 'Mars/Olympus' }, '/time_zone'],
    [{ ticks: 5, order: 'desc', symbols: ['BTC-USDT'] }, '/order'],
    [{ ticks: 5, venues: ['sim'] }, '/symbols'],
    [{ limit: 10_001 }, '/limit'],
    [{ price: { gte: '1' } }, '/price'],
  ])('%j is rejected with a pointer to %s', async (body, field) => {
    const response = await post(body)
    expect(response.statusCode, response.body).toBe(400)
    expect(response.json()).toMatchObject({ success: false, errors: [{ field }] })
  })

  test('a cursor of trades or of another interval is rejected', async () => {
    const { next_cursor } = await bars({ symbols: ['BTC-USDT'], interval: '1h' })
    const response = await post({ cursor: next_cursor, interval: '1m' })
    expect(response.json()).toMatchObject({ code: 'cursor.filter_mismatch', errors: [{ field: '/bar' }] })
    const url = '/api/v1/trades/list'
    const trades = await callAs(app, 'market-data', pro, { method: 'POST', url, body: { cursor: next_cursor } })
    expect(trades.json()).toMatchObject({ code: 'cursor.invalid' })
  })
})

test.each(['asc', 'desc'])('missing trades are gaps in the coverage of bars: %s', async (order) => {
  const ns = (time: string) => String(parseTime(time))
  const gaps = [
    { from: '2026-03-20T11:58:30Z', to: '2026-03-20T11:58:40Z' },
    { from: '2026-03-20T11:59:35Z', to: '2026-03-20T11:59:50Z' },
  ].map(({ from, to }) => ({ from: ns(from), to: ns(to) }))
  const noted = gaps.map(({ from, to }, index) => ({
    fromId: index,
    toId: index,
    missing: 1,
    fromTs: from,
    toTs: to,
  }))
  await insertTradeGaps(pool, BTC, noted)
  const gapsOf = ({ coverage }: BarPage) =>
    coverage.flatMap(({ state, from, to, reason }) => (state === 'gap' ? [{ from, to, reason }] : []))
  const body = {
    symbols: ['BTC-USDT'],
    interval: '1m',
    time_format: 'unix_ns',
    order,
    end: ns('2026-03-20T12:00:00Z'),
  }
  const expected = gaps.map((gap) => ({ ...gap, reason: 'trade_ids_missing' }))
  if (order === 'desc') expected.reverse()
  await vi.waitFor(async () => expect(gapsOf(await bars(body))).toEqual(expected), 30_000)
  // The last bar is complete, so that a gap beyond the end of the filter is in it.
  expect(gapsOf(await bars({ ...body, end: ns('2026-03-20T11:59:32Z') }))).toEqual(expected)
  const page = await bars({ ...body, limit: 1 })
  expect(gapsOf(page)).toEqual(expected)
  expect(gapsOf(await bars({ cursor: page.next_cursor }))).toContainEqual(expected[1])
})
