import type { TradePage } from '@tapeline/contracts/market-data/http'
import type { Problem } from '@tapeline/contracts/problem'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event, someTrade } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { createLake } from '../lake/lake.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'

const DAY = 19_943
const ROWS = 2_600
const TRADES = '/api/v1/trades/list'
const actor = someUser({ tier: 'pro' })
const range = { venues: ['sim'], symbols: ['BTC-USDT'], end: '2024-08-20' }
let lake: TestLake
let app: Server

beforeAll(async () => {
  lake = await openTestLake()
  for (const day of [DAY, DAY + 1]) {
    const trades = Array.from({ length: ROWS }, (_value, at) =>
      someTrade(`${day}-${at}`, dayStart(day) + BigInt(at % 900)),
    )
    const l2Events = [someL2Event('1', dayStart(day)), someL2Event('2', dayStart(day) + 1n)]
    await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events }])
  }
  await lake.seal({ instrumentId: 1, day: DAY, isDropped: true })
  app = await createApp(lake.deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
})
afterAll(async () => {
  await app.close()
  await lake.close()
})

async function call(accept: string, body: object, url = TRADES) {
  return callAs(app, 'market-data', actor, { method: 'POST', url, body, headers: { accept } })
}

async function stream(body: object, url = TRADES): Promise<{ records: string[]; end: Record<string, unknown> }> {
  const response = await call('application/x-ndjson', body, url)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-ndjson'])
  const lines = response.body.split('\n')
  expect(lines.pop()).toBe('')
  return { end: JSON.parse(lines.pop() ?? ''), records: lines }
}

async function walk(body: object): Promise<string[]> {
  const records: string[] = []
  for (let next: object = { ...body, limit: 1000 }; ;) {
    const page = (await call('application/json', next)).json<TradePage>()
    records.push(...page.data.map((record) => JSON.stringify(record)))
    if (!page.has_more) return records
    next = { cursor: page.next_cursor }
  }
}

test.each(['asc', 'desc'])(
  'a stream has the records of all pages, sealed or not, and ends with its cursor: %s',
  async (order) => {
    const expected = await walk({ ...range, order })
    expect(expected).toHaveLength(2 * ROWS)
    const whole = await stream({ ...range, order })
    expect(whole.records).toEqual(expected)
    expect(whole.end).toMatchObject({
      next_cursor: null,
      has_more: false,
      rows: 2 * ROWS,
      request_id: expect.any(String),
    })
    const part = await stream({ ...range, order, limit: 1_700 })
    expect(part.end).toMatchObject({ has_more: true, rows: 1_700 })
    const rest = await stream({ cursor: part.end['next_cursor'], limit: 1_000_000 })
    expect([...part.records, ...rest.records]).toEqual(expected)
    expect((await stream({ venues: ['sim'] }, '/api/v1/l2events/list')).records).toHaveLength(4)
  },
)

test('a failure in the middle is the last line, with the cursor to go on from', async () => {
  const { pool } = lake.database
  const broken = { ...lake.deps.lake.store, getRange: () => Promise.reject(new Error('damaged')) }
  const deps = { ...lake.deps, lake: createLake(pool, broken, 1_000_000) }
  const before = app
  app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  try {
    const { records, end } = await stream({ ...range, order: 'desc' })
    expect(records.length).toBeGreaterThanOrEqual(2_000)
    expect(end).toMatchObject({ has_more: true, next_cursor: expect.any(String), problem: { code: 'data.damaged' } })
  } finally {
    await app.close()
    app = before
  }
})

test.each([
  ['', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['text/html, application/x-ndjson;q=0.5', 'application/x-ndjson'],
  ['application/json;q=0.4, application/x-ndjson', 'application/x-ndjson'],
])('Accept %j is answered as %s', async (accept, type) => {
  expect((await call(accept, { ...range, limit: 1 })).headers['content-type']).toBe(type)
})

test('any other type is 406, a page has at most 1,000 rows, and a wrong call fails before the first byte', async () => {
  const csv = await call('text/csv', range)
  expect([csv.statusCode, csv.json<Problem>().code]).toEqual([406, 'request.not_acceptable'])
  const large = await call('application/json', { ...range, limit: 1_001 })
  expect(large.json<Problem>()).toMatchObject({ code: 'request.invalid', errors: [{ field: '/limit' }] })
  const unknown = await call('application/x-ndjson', { symbols: ['NO-SUCH'] })
  expect([unknown.statusCode, unknown.json<Problem>().code]).toEqual([404, 'symbol.unknown'])
})
