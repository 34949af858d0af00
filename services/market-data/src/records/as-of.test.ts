import type { L2EventPage, TradePage } from '@tapeline/contracts/market-data/http'
import type { Problem } from '@tapeline/contracts/problem'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event, someTrade } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { storeWithLake } from '../lake/sealing/store-late-data.ts'
import { dropSealedDays } from '../lake/sealing/drop-sealed-days.ts'
import { sealDay } from '../lake/sealing/seal-day.ts'
import { dayStart } from '../nanoseconds.ts'
import { INSTRUMENTS_AGE_MAX_MS } from '../instruments/instrument-cache.ts'
import { storeAtOnce, storeRecords } from '../store/store-records.ts'
import { closeFilledGaps, insertTradeGaps } from '../store/trade-gap-queries.ts'
import { thinIngestMarks } from './as-of.ts'
import { readClock } from './as-of-queries.ts'

const DAY = 19_943
const ROWS = 600
const [BTC, ETH] = [1, 2]
const HOUR_NS = 3_600_000_000_000n
const actor = someUser({ tier: 'pro' })
let lake: TestLake
let app: Server

/** A sealed day that has left PostgreSQL, a sealed one that has not, and a hot one, of two instruments. */
beforeAll(async () => {
  lake = await openTestLake()
  for (const instrumentId of [BTC, ETH]) {
    for (const day of [DAY, DAY + 1, DAY + 2])
      await storeAtOnce(lake.database.pool, [batchOf(instrumentId, day, 'on time')])
    await lake.seal({ instrumentId, day: DAY, isDropped: true })
    await lake.seal({ instrumentId, day: DAY + 1 })
  }
  app = await createApp(lake.deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
})
afterAll(async () => {
  await app.close()
  await lake.close()
})

function batchOf(instrumentId: number, day: number, name: string, rows = ROWS) {
  const times = Array.from({ length: rows }, (_value, at) => dayStart(day) + BigInt(at % 400) * 10_000_000_000n)
  const trades = times.map((time, at) =>
    someTrade(`${day} ${name} ${at}`, time, { side: at % 3 === 0 ? 'sell' : 'buy' }),
  )
  const types = { '0': 'snapshot', '9': 'gap' } as const
  const l2Events = times.slice(0, 50).map((time, at) => {
    const type = at % 10 === 0 ? types['0'] : at % 10 === 9 ? types['9'] : 'update'
    return someL2Event(`${day} ${name} ${at}`, time, { type })
  })
  return { instrumentId, trades, l2Events }
}

const clock = async () => String(await readClock(lake.database.pool))

async function post(path: string, body: object) {
  return callAs(app, 'market-data', actor, { method: 'POST', url: `/api/v1/${path}/list`, body })
}

type Read = { path: string; body: object }

/** All records of all pages as JSON text, and the gaps of the first page. */
async function read({ path, body }: Read): Promise<string[]> {
  const records: string[] = []
  for (let next = body; ;) {
    const response = await post(path, next)
    expect(response.statusCode, response.body).toBe(200)
    const page = response.json<TradePage | L2EventPage>()
    if (records.length === 0) records.push(JSON.stringify(page.coverage.filter(({ state }) => state === 'gap')))
    records.push(...page.data.map((record) => JSON.stringify(record)))
    if (!page.has_more) return records
    next = { cursor: page.next_cursor }
  }
}

async function sealAll(): Promise<void> {
  for (const instrumentId of [BTC, ETH]) {
    for (const day of [DAY, DAY + 1]) {
      for (const channel of ['trade', 'l2_event'] as const) await sealDay(lake.deps, { instrumentId, channel, day })
    }
  }
}

async function readAll(asOf: string | null): Promise<string[][]> {
  return Promise.all(reads.map(({ path, body }) => read({ path, body: { ...body, as_of: asOf } })))
}

const at = (day: number, hours: number) => String(dayStart(day) + BigInt(hours) * HOUR_NS)
const both = { venues: ['sim'], symbols: ['BTC-USDT', 'ETH-USDT'], end: at(DAY + 3, 0) }
const btc = { ...both, symbols: ['BTC-USDT'] }
const reads: Read[] = [
  { path: 'trades', body: { ...both, limit: 1_000 } },
  { path: 'trades', body: { ...both, order: 'desc', limit: 997 } },
  { path: 'trades', body: { ...btc, side: 'sell', limit: 100 } },
  { path: 'trades', body: { ...btc, start: at(DAY, 1), end: at(DAY + 1, 1) } },
  { path: 'trades', body: { ...btc, start: at(DAY + 1, 0), end: at(DAY + 2, 0), order: 'desc', limit: 77 } },
  { path: 'trades', body: { ...both, start: at(DAY + 2, 0), time_format: 'unix_ns', limit: 10_000 } },
  { path: 'trades', body: { ...btc, start: at(DAY, 0), time_field: 'ts_recv' } },
  { path: 'l2events', body: both },
  { path: 'l2events', body: { ...btc, order: 'desc', layout: 'levels', limit: 7 } },
  { path: 'l2events', body: { ...both, types: ['gap', 'snapshot'], limit: 3 } },
]

test('ten ranges stay identical for the same as_of while late data arrives, is sealed and leaves PostgreSQL', async () => {
  const before = await clock()
  const frozen = await readAll(before)
  expect(frozen).toEqual(await readAll(null))
  for (const day of [DAY, DAY + 1, DAY + 2]) {
    await storeWithLake(lake.deps, [batchOf(BTC, day, 'late', 40)])
    expect(await readAll(before)).toEqual(frozen)
  }
  const between = await clock()
  const revised = await readAll(between)
  expect(revised).toEqual(await readAll(null))
  expect(revised.map(({ length }) => length)).toSatisfy((lengths: number[]) =>
    lengths.every((length, index) => length > (frozen[index]?.length ?? Infinity)),
  )
  await storeWithLake(lake.deps, [batchOf(ETH, DAY, 'later', 40)])
  await sealAll()
  expect([await readAll(before), await readAll(between)]).toEqual([frozen, revised])
  await dropSealedDays(lake.deps, 0)
  expect([await readAll(before), await readAll(between)]).toEqual([frozen, revised])
  const now = await readAll(null)
  expect(now.map(({ length }) => length)[0]).toBe(revised.map(({ length }) => length + 40)[0])
})

test('a writer that has not committed yet cannot change an answer that was given', async () => {
  const batch = [batchOf(BTC, DAY + 2, 'open', 5)]
  const client = await lake.database.pool.connect()
  const body = { ...btc, start: at(DAY + 2, 0), limit: 10_000 }
  try {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    await storeRecords(client, batch, { isOrdered: false })
    const asOf = await clock()
    const reading = read({ path: 'trades', body: { ...body, as_of: asOf } })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await client.query('commit')
    const first = await reading
    expect(first.filter((record) => record.includes(' open '))).toHaveLength(5)
    expect(await read({ path: 'trades', body: { ...body, as_of: asOf } })).toEqual(first)
  } finally {
    client.release()
  }
})

test('missing trades are a gap for the times at which they were missing', async () => {
  const { pool } = lake.database
  const from = dayStart(DAY + 2) + 20n * HOUR_NS
  const [fromTs, toTs] = [String(from), String(from + 3n)]
  const body = { ...both, symbols: ['ETH-USDT'], start: fromTs, end: String(from + 10n) }
  const gapsAt = async (asOf: string | null) => {
    const page = (await post('trades', { ...body, as_of: asOf })).json<TradePage>()
    return page.coverage.filter(({ state }) => state === 'gap').map(({ reason }) => reason)
  }
  const before = await clock()
  await insertTradeGaps(pool, ETH, [{ fromId: 71, toId: 72, missing: 2, fromTs, toTs }])
  await new Promise((resolve) => setTimeout(resolve, INSTRUMENTS_AGE_MAX_MS + 50))
  const missing = await clock()
  const trades = [71, 72].map((id) => someTrade(String(id), from + BigInt(id - 70)))
  await storeAtOnce(pool, [{ instrumentId: ETH, trades, l2Events: [] }])
  expect(await gapsAt(null)).toEqual(['trade_ids_missing'])
  await closeFilledGaps(pool, ETH, { from: fromTs, to: toTs })
  const filled = await clock()
  expect(await gapsAt(null)).toEqual([])
  expect([await gapsAt(before), await gapsAt(missing), await gapsAt(filled)]).toEqual([[], ['trade_ids_missing'], []])
})

test('as_of must lie in the past and be a whole hour if it is old, also after marks were thinned', async () => {
  const future = String((await readClock(lake.database.pool)) + HOUR_NS)
  const hour = '2001-02-03T04:00:00Z'
  const rejected = [
    [future, 'notInFuture'],
    ['2001-02-03T04:00:00.1Z', 'wholeHour'],
    ['yesterday', 'timestamp'],
  ]
  for (const [as_of, rule] of rejected) {
    const response = await post('trades', { ...btc, as_of })
    expect(response.json<Problem>()).toMatchObject({ code: 'filter.invalid', errors: [{ field: '/as_of', rule }] })
  }
  const end = BigInt(Date.parse(hour)) * 1_000_000n
  const marks = [end - HOUR_NS, end - 2n, end, end + 1n, end + HOUR_NS].map(
    (time, index) => `(3, 'trade', ${time}, ${index + 1})`,
  )
  await lake.database.pool.query(
    `insert into ingest_mark (instrument_id, channel, stored_at, sequence) values ${marks.join(',')}`,
  )
  await storeAtOnce(lake.database.pool, [
    { instrumentId: 3, trades: [1, 2, 3, 4, 5].map((n) => someTrade(`${n}`, dayStart(DAY) + BigInt(n))), l2Events: [] },
  ])
  const body = { ...both, symbols: ['SOL-USDT'], as_of: hour }
  const found = await read({ path: 'trades', body })
  expect(found).toHaveLength(1 + 3)
  expect(await thinIngestMarks(lake.deps)).toBe(2)
  expect(await read({ path: 'trades', body })).toEqual(found)
  expect(await read({ path: 'trades', body: { ...body, as_of: '2001-02-03T03:00:00Z' } })).toHaveLength(1 + 1)
})

test('marks of any number are thinned by statements of at most 10,000 marks', async () => {
  const { pool } = lake.database
  await pool.query(`
    create function limit_deletion() returns trigger language plpgsql as $$ begin
      if (select count(*) from deleted) > 10000 then raise 'too many'; end if;
      return null;
    end $$;
    create trigger limit_deletion after delete on ingest_mark referencing old table as deleted
      for each statement execute function limit_deletion();
    insert into ingest_mark (instrument_id, channel, stored_at, sequence)
      select 4, 'trade', ${HOUR_NS} * hour + mark, hour * 12000 + mark
      from generate_series(0, 1) hour, generate_series(1, 12000) mark`)
  expect(await thinIngestMarks(lake.deps)).toBe(2 * 11_999)
  const { rows } = await pool.query('select stored_at, sequence from ingest_mark where instrument_id = 4 order by 1')
  expect(rows).toEqual([
    { stored_at: '12000', sequence: '12000' },
    { stored_at: String(HOUR_NS + 12_000n), sequence: '24000' },
  ])
})

test('a cursor keeps its as_of', async () => {
  const page = (await post('trades', { ...btc, as_of: await clock(), limit: 1 })).json<TradePage>()
  const other = await post('trades', { cursor: page.next_cursor, as_of: await clock() })
  expect(other.json<Problem>().code).toBe('cursor.filter_mismatch')
})
