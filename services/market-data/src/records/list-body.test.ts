import type { L2Level, TradePage } from '@tapeline/contracts/market-data/http'
import type { Problem } from '@tapeline/contracts/problem'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event, someTrade } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'

const DAY = 19_943
const ROWS = 3_000
const SECOND_NS = 1_000_000_000n
/** Delay between event and receipt; some trades are received on the next day. */
const WAY_NS = 20n * 60n * SECOND_NS
const actor = someUser({ tier: 'pro' })
const range = { venues: ['sim'], symbols: ['BTC-USDT', 'ETH-USDT'], end: '2024-08-20' }
let lake: TestLake
let app: Server

/** Two days of two instruments: the first day of one of them is sealed, its rows have left PostgreSQL. */
beforeAll(async () => {
  lake = await openTestLake()
  for (const instrumentId of [1, 2]) {
    for (const day of [DAY, DAY + 1]) {
      const times = Array.from({ length: ROWS }, (_value, at) => dayStart(day) + BigInt(at) * 28n * SECOND_NS)
      const trades = times.map((time, at) => {
        const side = at % 4 === 0 ? 'sell' : 'buy'
        return someTrade(`${day}-${at}`, time, { side, tsRecv: String(time + WAY_NS) })
      })
      const l2Events = [someL2Event(`${day}`, dayStart(day))]
      await storeAtOnce(lake.database.pool, [{ instrumentId, trades, l2Events }])
    }
  }
  await lake.seal({ instrumentId: 1, day: DAY, isDropped: true })
  app = await createApp(lake.deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
})
afterAll(async () => {
  await app.close()
  await lake.close()
})

async function post(path: string, body: object, accept = 'application/json') {
  return callAs(app, 'market-data', actor, { method: 'POST', url: `/api/v1/${path}`, body, headers: { accept } })
}

async function trades(body: object): Promise<TradePage> {
  const response = await post('trades/list', body)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<TradePage>()
}

const exactRanges = [
  {},
  { symbols: ['BTC-USDT'] },
  { start: String(dayStart(DAY) + 1_234n * SECOND_NS), end: String(dayStart(DAY + 1) + 9_999n * SECOND_NS) },
  { start: String(dayStart(DAY) + 28n * SECOND_NS), end: String(dayStart(DAY) + 56n * SECOND_NS) },
  { start: '2024-08-15', end: '2024-08-16' },
  { symbols: ['BTC-USDT'], layout: undefined, start: '2024-08-08T23:00:00Z', order: 'desc' },
]

describe('dry_run', () => {
  test.each(exactRanges)('counts exactly the records of %j without a condition', async (part) => {
    const found = await post('trades/list', { ...range, ...part }, 'application/x-ndjson')
    const lines = found.body.split('\n').slice(0, -2)
    const response = await post('trades/list', { ...range, ...part, dry_run: true }, 'application/x-ndjson')
    const { data, next_cursor, estimate } = response.json<TradePage>()
    expect({ data, next_cursor, rows: response.headers['x-rows-returned'] }).toEqual({
      data: [],
      next_cursor: null,
      rows: '0',
    })
    expect(estimate).toMatchObject({ records: lines.length, is_exact: true })
    const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0)
    expect(Math.abs((estimate?.bytes ?? 0) - bytes)).toBeLessThanOrEqual(bytes / 50)
  })

  test('estimates the share that fits a condition, and is exact when one page has it all', async () => {
    const { estimate } = await trades({ ...range, side: 'sell', dry_run: true })
    expect(estimate?.is_exact).toBe(false)
    expect(estimate?.records).toBeGreaterThan(ROWS * 0.9)
    expect(estimate?.records).toBeLessThan(ROWS * 1.1)
    const short = {
      ...range,
      side: 'sell',
      start: String(dayStart(DAY + 1)),
      end: String(dayStart(DAY + 1) + 60n * SECOND_NS),
    }
    expect((await trades({ ...short, dry_run: true })).estimate).toMatchObject({ records: 2, is_exact: true })
  })

  test('the size of a table is that of its lines, and dry_run with a cursor is rejected', async () => {
    const csv = await post('trades/list', range, 'text/csv')
    const { estimate } = (await post('trades/list', { ...range, dry_run: true }, 'text/csv')).json<TradePage>()
    expect(Math.abs((estimate?.bytes ?? 0) - csv.body.length)).toBeLessThan(csv.body.length / 50)
    const { next_cursor } = await trades({ ...range, limit: 1 })
    const rejected = await post('trades/list', { cursor: next_cursor, dry_run: true })
    expect(rejected.json<Problem>().errors).toMatchObject([{ field: '/dry_run' }])
  })
})

test.each(['asc', 'desc'])('time_field ts_recv selects by the receive time, sealed or not: %s', async (order) => {
  const received = { start: dayStart(DAY + 1) - 600n * SECOND_NS, end: dayStart(DAY + 1) + 3_000n * SECOND_NS }
  const body = { ...range, order, limit: 7, time_format: 'unix_ns' }
  const bounds = { start: String(received.start), end: String(received.end) }
  const found: TradePage['data'] = []
  for (let next: object = { ...body, ...bounds, time_field: 'ts_recv' }; ;) {
    const page = await trades(next)
    found.push(...page.data)
    if (!page.has_more) break
    next = { cursor: page.next_cursor }
  }
  const all = await trades({ ...body, limit: 10_000, start: String(received.start - WAY_NS), end: bounds.end })
  const expected = all.data.filter(({ ts_recv }) => BigInt(ts_recv) >= received.start && BigInt(ts_recv) < received.end)
  expect(found.length).toBeGreaterThan(100)
  expect(found).toEqual(expected)
})

test.each([
  {},
  { symbols: ['BTC-USDT'] },
  { side: 'sell' },
  { end: '2024-08-09' },
  { end: '2024-08-09', symbols: ['BTC-USDT'], side: 'sell', time_format: 'unix_ns' },
  { time_field: 'ts_recv', end: '2024-08-09T00:10:00Z' },
  { end: '2001-01-01' },
])('latest is the first record of the descending list: %j', async (part) => {
  const latest = (await post('trades/latest', { ...range, ...part })).json<TradePage>()
  const listed = await trades({ ...range, ...part, order: 'desc', limit: 1 })
  expect(latest.data).toEqual(listed.data)
  expect(latest.next_cursor).toBe(listed.next_cursor)
})

test('the latest book event has its levels, and a field of another call is rejected', async () => {
  const body = { symbols: ['BTC-USDT'], depth: 1, layout: 'levels' }
  const { data }: { data: L2Level[] } = (await post('l2events/latest', body)).json()
  expect(data.map(({ id, side }) => [id, side])).toEqual([
    [`sim:BTC-USDT:${DAY + 1}`, 'bid'],
    [`sim:BTC-USDT:${DAY + 1}`, 'ask'],
  ])
  const rejected = await post('trades/latest', { limit: 2 })
  expect(rejected.json<Problem>().errors).toMatchObject([{ field: '/limit', rule: 'additionalProperties' }])
})
