import { type L2Level, PAGE_SIZE_DEFAULT, type TradePage } from '@tapeline/contracts/market-data/http'
import type { Problem } from '@tapeline/contracts/problem'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { tableFromIPC } from 'apache-arrow'
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
const BOOKS = '/api/v1/l2events/list'
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
    const remaining = await stream({ cursor: part.end['next_cursor'], limit: 1_000_000 })
    expect([...part.records, ...remaining.records]).toEqual(expected)
    expect((await stream({ venues: ['sim'] }, BOOKS)).records).toHaveLength(4)
  },
)

test('a cursor contains the limit that the client sent, whatever the format', async () => {
  const { next_cursor: streamed } = (await stream({ ...range, limit: 1_001 })).end
  expect((await call('application/json', { cursor: streamed })).json<TradePage>().data).toHaveLength(1_001)
  const second = await stream({ cursor: streamed })
  expect(second.end).toMatchObject({ rows: 1_001, has_more: true })
  expect((await stream({ cursor: second.end['next_cursor'] })).end).toMatchObject({ rows: 1_001 })
  const listed = (await call('application/json', { ...range, limit: 2 })).json<TradePage>().next_cursor
  expect((await stream({ cursor: listed })).end).toMatchObject({ rows: 2 })
  const standard = (await call('application/json', range)).json<TradePage>().next_cursor
  expect((await stream({ cursor: standard })).end).toMatchObject({ rows: 2 * ROWS - PAGE_SIZE_DEFAULT })
})

test.each(['asc', 'desc'])(
  'CSV has the same trades in the same order, under the names of the contract: %s',
  async (order) => {
    const expected = await walk({ ...range, order, include: ['conditions'] })
    const { columns, cells, end } = await csv({ ...range, order, include: ['conditions'] })
    const found = cells.map((line) => Object.fromEntries(columns.map((name, at) => [name, line[at]])))
    expect(found).toEqual(
      expected.map((json) => {
        const { flags, conditions, ...trade }: Record<string, string[] & string> = JSON.parse(json)
        const text = Object.entries(trade).map(([name, value]) => [name, value === null ? '' : String(value)])
        return { ...Object.fromEntries(text), flags: flags?.join(' '), conditions: conditions?.join(' ') }
      }),
    )
    expect(end).toMatchObject({ next_cursor: null, has_more: false, rows: 2 * ROWS })
    const part = await csv({ ...range, order, include: ['conditions'], limit: 1_700 })
    const remaining = await csv({ cursor: part.end['next_cursor'], limit: 1_000_000 })
    expect([...part.cells, ...remaining.cells]).toEqual(cells)
  },
)

test('books are a record per level in CSV and with layout levels, also where an event has no level', async () => {
  const body = { venues: ['sim'], end: '2024-08-20', depth: 2 }
  const levels: L2Level[] = (await call('application/json', { ...body, layout: 'levels' }, BOOKS)).json().data
  expect(
    levels.map(({ sequence, type, is_snapshot, side, price, amount }) => [
      sequence,
      type,
      is_snapshot,
      side,
      price,
      amount,
    ]),
  ).toEqual(
    ['1', '2', '3', '4'].flatMap((sequence) => [
      [sequence, 'update', false, 'bid', '10', '1'],
      [sequence, 'update', false, 'bid', '9', '2'],
      [sequence, 'update', false, 'ask', '11', '1'],
      [sequence, 'update', false, 'ask', '12', '0'],
    ]),
  )
  const { records } = await stream({ ...body, layout: 'levels' }, BOOKS)
  expect(records.map((line) => JSON.parse(line))).toEqual(levels)
  const { columns, cells, end } = await csv(body, BOOKS)
  expect(columns.slice(-6)).toEqual(['type', 'book_epoch', 'is_snapshot', 'side', 'price', 'amount'])
  expect(cells.map((line) => line.slice(-4))).toEqual(
    levels.map(({ is_snapshot, side, price, amount }) => [String(is_snapshot), side, price, amount]),
  )
  expect(end).toMatchObject({ rows: 4 })
  await storeAtOnce(lake.database.pool, [
    { instrumentId: 3, trades: [], l2Events: [someL2Event('g', dayStart(DAY), { type: 'gap' })] },
  ])
  expect((await csv({ ...body, symbols: ['SOL-USDT'] }, BOOKS)).cells.map((line) => line.slice(-6))).toEqual([
    ['gap', '1', 'false', '', '', ''],
  ])
  const events = await call('text/csv', { ...body, layout: 'events' }, BOOKS)
  expect([events.statusCode, events.json<Problem>().errors]).toMatchObject([400, [{ field: '/layout', rule: 'const' }]])
})

/** Reads the answer with another implementation of the format; `end` is in the metadata of the last batch. */
async function arrow(body: object, url = TRADES) {
  const response = await call('application/vnd.apache.arrow.stream', body, url)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/vnd.apache.arrow.stream'])
  const table = tableFromIPC(response.rawPayload)
  const columns = table.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)
  const cells = table.batches.flatMap((batch) =>
    Array.from({ length: batch.numRows }, (_value, row) =>
      batch.data.children.map(({ values }, column) =>
        // The library turns timestamps into fractions of milliseconds; the values themselves are exact.
        values instanceof BigInt64Array ? String(values[row]) : textOf(batch.getChildAt(column)?.get(row)),
      ),
    ),
  )
  const end: Record<string, unknown> = JSON.parse(table.batches.at(-1)?.metadata.get('tapeline') ?? 'null')
  return { columns, cells, end }
}

function textOf(value: string | number | bigint | boolean | null): string {
  return value === null ? '' : String(value)
}

test.each(['asc', 'desc'])('Arrow has the same cells as CSV, typed: %s', async (order) => {
  const body = { ...range, order, include: ['conditions'], time_format: 'unix_ns' }
  const { columns, cells, end } = await arrow(body)
  const expected = await csv(body)
  expect(columns).toEqual(expected.columns.map((name) => `${name} ${ARROW_TYPES[name] ?? 'Utf8'}`))
  expect(cells).toEqual(expected.cells)
  expect(end).toEqual({ ...expected.end, request_id: expect.any(String) })
  const part = await arrow({ ...body, limit: 1_700 })
  expect(part.end).toMatchObject({ rows: 1_700, has_more: true })
  const next = { cursor: part.end['next_cursor'], limit: 1_000_000 }
  expect([...part.cells, ...(await arrow(next)).cells]).toEqual(cells)
  const books = { venues: ['sim'], time_format: 'unix_ns', order }
  expect((await arrow(books, BOOKS)).cells).toEqual((await csv(books, BOOKS)).cells)
  expect((await arrow({ ...body, side: 'unknown' })).cells).toEqual([])
})

const ARROW_TYPES: Record<string, string> = {
  instrument_id: 'Int32',
  sequence: 'Uint64',
  ts_event: 'Timestamp<NANOSECOND, UTC>',
  ts_recv: 'Timestamp<NANOSECOND, UTC>',
}

/** The cells of a CSV answer, in which nothing needs quotes. */
async function csv(body: object, url = TRADES) {
  const response = await call('text/csv', body, url)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = response.body.split('\n')
  expect(lines.pop()).toBe('')
  const end: Record<string, unknown> = JSON.parse(lines.pop()?.replace(/^# /, '') ?? '')
  const [columns = [], ...cells] = lines.map((line) => line.split(','))
  return { columns, cells, end }
}

test('after a failure the last line has the problem and the cursor to continue from', async () => {
  const { pool } = lake.database
  const broken = { ...lake.deps.lake.store, getRange: () => Promise.reject(new Error('damaged')) }
  const deps = { ...lake.deps, lake: createLake(pool, broken, 1_000_000) }
  const before = app
  app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  try {
    const { records, end } = await stream({ ...range, order: 'desc' })
    expect(records.length).toBeGreaterThanOrEqual(2_000)
    expect(end).toMatchObject({ has_more: true, next_cursor: expect.any(String), problem: { code: 'data.damaged' } })
    await expect(call('application/vnd.apache.arrow.stream', { ...range, order: 'desc' })).rejects.toThrow()
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
  ['text/csv, application/json;q=0.9', 'text/csv; charset=utf-8'],
])('Accept %j is answered as %s', async (accept, type) => {
  expect((await call(accept, { ...range, limit: 1 })).headers['content-type']).toBe(type)
})

test('any other type is 406, a page has at most 10,000 rows, and an invalid call fails before the first byte', async () => {
  const xml = await call('application/xml', range)
  expect([xml.statusCode, xml.json<Problem>().code]).toEqual([406, 'request.not_acceptable'])
  expect((await call('application/json', { ...range, limit: 10_000 })).json<TradePage>().data).toHaveLength(2 * ROWS)
  const large = await call('application/json', { ...range, limit: 10_001 })
  expect(large.json<Problem>()).toMatchObject({ code: 'request.invalid', errors: [{ field: '/limit' }] })
  const unknown = await call('application/x-ndjson', { symbols: ['NO-SUCH'] })
  expect([unknown.statusCode, unknown.json<Problem>().code]).toEqual([404, 'symbol.unknown'])
})
