import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UserActor } from '@tapeline/contracts/actor'
import type { DataFile, FileList } from '@tapeline/contracts/market-data/files'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import type { Problem } from '@tapeline/contracts/problem'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWithDuckDb } from '../../test/lake/duckdb.fixture.ts'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event, someTrade } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { mergeFinishedMonths } from '../lake/months/merge-finished-months.ts'
import { dropSealedDays } from '../lake/sealing/drop-sealed-days.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'

const DAY = 19_943
const actor = someUser({ tier: 'pro' })
let lake: TestLake
let app: Server

beforeAll(async () => {
  lake = await openTestLake()
  for (const [index, day] of [DAY, DAY + 1, DAY + 3].entries()) {
    const trades = Array.from({ length: 400 }, (_value, at) =>
      someTrade(`${day}-${at}`, dayStart(day) + BigInt(at % 90), { price: `6183${index}.${at}1`, size: `0.${at + 1}` }),
    )
    const l2Events = [someL2Event('1', dayStart(day)), someL2Event('2', dayStart(day) + 1n)]
    await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events }])
    await lake.seal({ instrumentId: 1, day })
    await lake.seal({ instrumentId: 1, day, channel: 'l2_event', isDropped: true })
  }
  app = await createApp(lake.deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
})
afterAll(async () => {
  await app.close()
  await lake.close()
})

async function get(url: string, headers: Record<string, string> = {}, as: UserActor = actor) {
  return callAs(app, 'market-data', as, { method: 'GET', url, headers })
}

async function list(query: string): Promise<FileList> {
  const response = await get(`/api/v1/files${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<FileList>()
}

async function firstFile(): Promise<DataFile> {
  const [file] = (await list('?channel=trades')).data
  if (file === undefined) throw new Error('there is no file')
  return file
}

test('files are listed by day, filtered, and paged by cursor', async () => {
  const all = await list('')
  expect(all.data.map(({ date, channel }) => `${date} ${channel}`)).toEqual(
    ['2024-08-08', '2024-08-09', '2024-08-11'].flatMap((date) => [`${date} l2events`, `${date} trades`]),
  )
  expect(all.data.every(({ date, dates }) => dates.length === 1 && dates[0] === date)).toBe(true)
  expect(all.data[1]).toMatchObject({ venue: 'sim', symbol: 'BTC-USDT', rows: 400, revision: 1, finality: 'revisable' })
  expect((await list('?channel=trades&from=2024-08-09&to=2024-08-09')).data.map(({ date }) => date)).toEqual([
    '2024-08-09',
  ])
  expect((await list('?symbol=ETH-USDT')).data).toEqual([])
  const first = await list('?limit=4')
  const second = await list(`?limit=4&cursor=${first.next_cursor}`)
  expect([...first.data, ...second.data]).toEqual(all.data)
  expect(second.next_cursor).toBeNull()
  const unknown = await get('/api/v1/files?cursor=01900000-0000-7000-8000-000000000000')
  expect(unknown.json<Problem>().code).toBe('cursor.invalid')
})

test('a file arrives whole or in ranges, with the SHA-256 of the list', async () => {
  const { id, sha256, bytes, name } = await firstFile()
  const whole = await get(`/api/v1/files/${id}`)
  expect(whole.statusCode).toBe(200)
  expect(whole.headers).toMatchObject({
    etag: `"${sha256}"`,
    'accept-ranges': 'bytes',
    'content-length': String(bytes),
  })
  expect(whole.headers['content-disposition']).toContain(name)
  expect(createHash('sha256').update(whole.rawPayload).digest('hex')).toBe(sha256)
  const half = Math.floor(bytes / 2)
  const resumed = await get(`/api/v1/files/${id}`, { range: `bytes=${half}-`, 'if-range': `"${sha256}"` })
  expect(resumed.statusCode).toBe(206)
  expect(resumed.headers['content-range']).toBe(`bytes ${half}-${bytes - 1}/${bytes}`)
  expect(resumed.rawPayload.equals(whole.rawPayload.subarray(half))).toBe(true)
  expect((await get(`/api/v1/files/${id}`, { range: 'bytes=0-9' })).rawPayload).toHaveLength(10)
  expect((await get(`/api/v1/files/${id}`, { range: 'bytes=-10' })).rawPayload).toHaveLength(10)
  expect((await get(`/api/v1/files/${id}`, { range: 'bytes=0-9', 'if-range': '"other"' })).statusCode).toBe(200)
  expect((await get(`/api/v1/files/${id}`, { range: 'bytes=9-0' })).statusCode).toBe(200)
  expect(await get(`/api/v1/files/${id}`, { 'if-none-match': `"${sha256}"` })).toMatchObject({
    statusCode: 304,
    body: '',
  })
  const beyond = await get(`/api/v1/files/${id}`, { range: `bytes=${bytes}-` })
  expect(beyond.statusCode).toBe(416)
  expect(beyond.headers['content-range']).toBe(`bytes */${bytes}`)
})

test('every value that DuckDB reads from a downloaded file equals the value of the API', async () => {
  const { id } = await firstFile()
  const folder = await mkdtemp(join(tmpdir(), 'tapeline-file-'))
  try {
    await writeFile(join(folder, 'day.parquet'), (await get(`/api/v1/files/${id}`)).rawPayload)
    const rows = await readWithDuckDb('trade', join(folder, 'day.parquet'))
    const range = { start: String(dayStart(DAY)), end: String(dayStart(DAY + 1)) }
    const body = { venues: ['sim'], symbols: ['BTC-USDT'], ...range, limit: 1000, time_format: 'unix_ns' }
    const page = await callAs(app, 'market-data', actor, { method: 'POST', url: '/api/v1/trades/list', body })
    const fromApi = page
      .json<TradePage>()
      .data.map((trade) => [
        trade.sequence,
        trade.ts_event,
        trade.ts_recv,
        trade.price,
        trade.size,
        trade.trade_id,
        trade.side[0],
      ])
    expect(fromApi).toHaveLength(400)
    expect(rows.map((row) => [row[0], row[1], row[2], row[7], row[8], row[9], row[4]])).toEqual(fromApi)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('files need a tier with data export and the scope files:read, and hide other venues from test keys', async () => {
  const { id } = await firstFile()
  for (const url of ['/api/v1/files', `/api/v1/files/${id}`]) {
    expect((await get(url, {}, someUser({ tier: 'free' }))).json<Problem>().code).toBe('tier.feature_not_included')
    const narrow = someUser({ tier: 'pro', keyId: crypto.randomUUID(), scopes: ['trades:read'] })
    expect((await get(url, {}, narrow)).json<Problem>().code).toBe('api_key.scope_missing')
  }
  const tester: UserActor = { ...actor, environment: 'test' }
  expect((await get('/api/v1/files?venue=binance', {}, tester)).json<Problem>().code).toBe(
    'tier.environment_not_included',
  )
  await lake.database.pool.query(`update instrument set venue = 'other' where instrument_id = 1`)
  expect((await get(`/api/v1/files/${id}`, {}, tester)).json<Problem>().code).toBe('file.not_found')
  expect((await get('/api/v1/files', {}, tester)).json<FileList>().data).toEqual([])
  await lake.database.pool.query(`update instrument set venue = 'sim' where instrument_id = 1`)
  expect((await get('/api/v1/files/01900000-0000-7000-8000-000000000000')).statusCode).toBe(404)
})

test('days that are merged between two pages are not skipped', async () => {
  const [first, ...others] = (await list('?channel=trades')).data
  const page = await list('?channel=trades&limit=1')
  expect(page.data).toEqual([first])
  await dropSealedDays(lake.deps, 0)
  await mergeFinishedMonths({ ...lake.deps, now: () => new Date('2024-09-10T00:00:00Z') }, 1_000_000)
  const rest = await list(`?channel=trades&cursor=${page.next_cursor}`)
  expect(rest.data.flatMap(({ dates }) => dates)).toEqual(expect.arrayContaining(others.map(({ date }) => date)))
  expect(others).toHaveLength(2)
})

test('a file that several days share is listed once, whichever of its days is requested', async () => {
  const dates = ['2024-08-08', '2024-08-09', '2024-08-11']
  const { data } = await list('?channel=trades')
  expect(data).toMatchObject([{ date: dates[0], dates, rows: 1200, revision: 2 }])
  expect(data[0]?.name).toBe('sim_BTC-USDT_trades_2024-08_r2.parquet')
  expect((await list('?channel=trades&from=2024-08-11')).data).toEqual(data)
  expect((await list('?channel=trades&from=2024-08-10&to=2024-08-10')).data).toEqual([])
  const whole = await get(`/api/v1/files/${data[0]?.id}`)
  expect(createHash('sha256').update(whole.rawPayload).digest('hex')).toBe(data[0]?.sha256)
  const first = await list('?limit=1')
  const second = await list(`?limit=1&cursor=${first.next_cursor}`)
  expect([...first.data, ...second.data].map(({ channel }) => channel)).toEqual(['l2events', 'trades'])
  expect(second.next_cursor).toBeNull()
})
