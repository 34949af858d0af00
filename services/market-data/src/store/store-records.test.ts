import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import { someL2Event, someTrade } from '../../test/records.fixture.ts'
import type { Tables } from '../tables.ts'
import type { L2Record, TradeRecord } from './record.ts'
import { ensurePartitions, storeAtOnce, storeRecords } from './store-records.ts'

const START_NS = 1_723_161_599_000_000_000n
let database: TestDatabase<Tables>
let instrumentId = 0

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
})
afterAll(() => database.drop())

/** A separate instrument for each test. */
beforeEach(async () => {
  const { rows } = await database.pool.query<{ id: number }>(`
    with made as (
      insert into instrument (venue, symbol, venue_symbol, base, quote, size_unit, ts_event_precision)
      values ('test', gen_random_uuid()::text, 'X', 'X', 'Y', 'base', 'ns') returning instrument_id)
    insert into channel (instrument_id, name)
    select instrument_id, name from made cross join unnest(array['trade', 'l2_event']) as name returning instrument_id as id`)
  instrumentId = rows[0]?.id ?? 0
})

function timeOf(index: number): bigint {
  return START_NS + BigInt(index) * 1_000_000n
}

function trade(index: number, fields: Partial<TradeRecord> = {}): TradeRecord {
  return someTrade(`t${index}`, timeOf(index), fields)
}

function l2(index: number, type: L2Record['type']): L2Record {
  return someL2Event(`l${index}`, timeOf(index), { type })
}

function trades(from: number, to: number): TradeRecord[] {
  return Array.from({ length: to - from }, (_value, index) => trade(from + index))
}

async function store(list: TradeRecord[], l2Events: L2Record[] = []) {
  return storeAtOnce(database.pool, [{ instrumentId, trades: list, l2Events }])
}

async function stored() {
  const { rows } = await database.pool.query<{ sequence: string; source_id: string; price: string; size: string }>({
    text: 'select sequence, source_id, price, size from trade where instrument_id = $1 order by sequence',
    values: [instrumentId],
  })
  return rows
}

test('storing again adds nothing and changes no sequence', async () => {
  expect(await store(trades(0, 50))).toEqual({ trades: 50, l2Events: 0 })
  const before = await stored()
  expect(await store(trades(0, 50))).toEqual({ trades: 0, l2Events: 0 })
  expect(await store(trades(25, 75))).toEqual({ trades: 25, l2Events: 0 })
  const after = await stored()
  expect(after.slice(0, 50)).toEqual(before)
  expect(after.map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: 75 }, (_value, index) => index + 1),
  )
})

test('rows are identified by their source id, never by their content', async () => {
  const twins = Array.from({ length: 10 }, (_value, index) => trade(0, { sourceId: `row:${index}` }))
  expect(await store([...twins, ...twins.slice(0, 3)])).toEqual({ trades: 10, l2Events: 0 })
})

test('two concurrent writers with the same records cause no gap and no repetition', async () => {
  const portions = Array.from({ length: 12 }, (_value, index) => trades(index * 40, index * 40 + 80))
  const writer = async (order: TradeRecord[][]) => {
    let added = 0
    for (const portion of order) added += (await store(portion)).trades
    return added
  }
  const [one, two] = await Promise.all([writer(portions), writer(portions.toReversed())])
  expect(one + two).toBe(520)
  const rows = await stored()
  expect(rows.map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: 520 }, (_value, index) => index + 1),
  )
  expect(new Set(rows.map(({ source_id }) => source_id)).size).toBe(520)
})

test('a killed writer stores nothing partially, and the next one assigns the same sequences', async () => {
  const batch = { instrumentId, trades: trades(0, 30), l2Events: [] }
  await ensurePartitions(database.pool, [batch])
  const client = await database.pool.connect()
  await client.query('begin')
  await storeRecords(client, [batch], { isOrdered: false })
  client.release(new Error('killed'))
  expect(await stored()).toEqual([])
  await store(trades(0, 60))
  expect((await stored()).map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: 60 }, (_value, index) => index + 1),
  )
})

test.each([
  ['0.000000000000000001', '25.426189'],
  ['123456789012345678901234567890.123456789', '99999999999999999999999'],
  ['-37.63', '0'],
  ['61837.63', '1000000'],
])('price %s and size %s are returned as they were stored', async (price, size) => {
  await store([trade(0, { price, size })])
  expect(await stored()).toEqual([{ sequence: '1', source_id: 't0', price, size }])
})

test('unusual characters in ids and conditions are returned unchanged', async () => {
  const sourceId = 'a\tb\\n\n"c"\r\\.ü'
  await store([trade(0, { sourceId, conditions: ['exchange:\\N', 'sale:\t'] })])
  const { rows } = await database.pool.query({
    text: 'select source_id, conditions from trade where instrument_id = $1',
    values: [instrumentId],
  })
  expect(rows).toEqual([{ source_id: sourceId, conditions: 'exchange:\\N sale:\t' }])
})

test('records of several days go to a partition per day', async () => {
  expect(await store([trade(0), trade(2_000), trade(90_000_000)])).toEqual({ trades: 3, l2Events: 0 })
  const { rows } = await database.pool.query<{ day: string }>({
    text: 'select tableoid::regclass::text as day from trade where instrument_id = $1 order by ts_event',
    values: [instrumentId],
  })
  expect(rows.map(({ day }) => day)).toEqual(['trade_20240808', 'trade_20240809', 'trade_20240810'])
})

test('snapshots, clears and gaps begin a new epoch of the book, updates stay in it', async () => {
  const types = ['snapshot', 'update', 'update', 'gap', 'snapshot', 'update', 'clear'] as const
  await store(
    [],
    types.slice(0, 3).map((type, index) => l2(index, type)),
  )
  await store(
    [],
    types.map((type, index) => l2(index, type)),
  )
  const { rows } = await database.pool.query<{ sequence: string; book_epoch: number }>({
    text: 'select sequence, book_epoch from l2_event where instrument_id = $1 order by sequence',
    values: [instrumentId],
  })
  expect(rows.map(({ sequence, book_epoch }) => [Number(sequence), book_epoch])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 3],
    [6, 3],
    [7, 4],
  ])
})
