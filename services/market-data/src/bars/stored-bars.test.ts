import type { Bar, BarPage, ListBars } from '@tapeline/contracts/market-data/bars'
import { DuckDBInstance } from '@duckdb/node-api'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { canonicalDecimal } from '../decimal.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import type { TradeRecord } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import { computeMissingMinuteBars } from './compute-missing-minute-bars.ts'
import { listBars } from './list-bars.ts'

/** The Sunday on which clocks in New York go back. */
const START_NS = BigInt(Date.parse('2024-11-03T03:00:00Z')) * 1_000_000n
const SPAN_SECONDS = 40 * 3_600
const TRADES = 3_000
const pro = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date('2024-11-20T00:00:00Z'), 'a secret of at least 32 characters')
afterAll(drop)
beforeEach(async () => void (await pool.query('truncate trade, bar_1m, bar_unkept_day')))

/** Deterministic trades, not in the order of their times, with ties and many decimals. */
function trades(seed: number): TradeRecord[] {
  return Array.from({ length: TRADES }, (_value, index) => {
    const mixed = (index * 7_919 + seed * 104_729) % TRADES
    const seconds = BigInt(Math.floor((mixed * SPAN_SECONDS) / TRADES / 3) * 3)
    const price = `${60_000 + ((mixed * 31 + seed) % 997)}.${String(mixed % 1_000).padStart(3, '0')}`
    const size = `0.${String(((mixed * 613) % 99_999_999) + 1).padStart(8, '0')}`
    const fields = { price: canonicalDecimal(price) ?? '', size: canonicalDecimal(size) ?? '' }
    return someTrade(`${seed}-${index}`, START_NS + seconds * 1_000_000_000n, fields)
  })
}

/** Stores in portions, so that later trades change existing bars. */
async function store(): Promise<void> {
  for (const instrumentId of [1, 2]) {
    const all = trades(instrumentId)
    for (let from = 0; from < all.length; from += 700) {
      await storeAtOnce(pool, [{ instrumentId, trades: all.slice(from, from + 700), l2Events: [] }])
    }
  }
}

async function walk(body: ListBars): Promise<Bar[]> {
  const bars: Bar[] = []
  let page = JSON.parse((await listBars(deps, pro, body, 'x')).json) as BarPage
  for (;;) {
    bars.push(...page.data)
    if (!page.has_more) return bars
    page = JSON.parse((await listBars(deps, pro, { cursor: page.next_cursor }, 'x')).json) as BarPage
  }
}

const BODIES: ListBars[] = [
  { interval: '1m', limit: 700 },
  { interval: '5m', limit: 97 },
  { interval: '1h', limit: 10, order: 'desc' },
  { interval: '4h', time_zone: 'America/New_York', limit: 7 },
  { interval: '1d', time_zone: 'America/New_York', limit: 1 },
  { interval: '1d', time_zone: 'Asia/Kolkata', limit: 1, order: 'desc' },
  { interval: '15m', start: '2024-11-03T09:07:00Z', end: '2024-11-03T20:01:00Z', limit: 5 },
]

test('bars of every interval from stored minutes are the same as from trades, page by page', async () => {
  await store()
  const bodyOf = (body: ListBars) => ({
    venues: ['sim'],
    symbols: ['BTC-USDT', 'ETH-USDT'],
    end: '2024-11-19T00:00:00Z',
    ...body,
  })
  const stored = new Map<ListBars, Bar[]>()
  for (const body of BODIES) stored.set(body, await walk(bodyOf(body)))
  await pool.query(
    'insert into bar_unkept_day (instrument_id, day) select id, 20030 + n from unnest(array[1, 2]) id, generate_series(0, 2) n',
  )
  for (const [body, bars] of stored) {
    expect(bars.length, JSON.stringify(body)).toBeGreaterThan(3)
    expect(await walk(bodyOf(body)), JSON.stringify(body)).toEqual(bars)
  }
})

test('bars of days that were stored without them are added up once', async () => {
  await store()
  const stored = await pool.query('select * from bar_1m order by instrument_id, minute')
  await pool.query('delete from bar_1m where minute % 120000000000 = 0')
  await pool.query(
    'insert into bar_unkept_day (instrument_id, day) select id, 20030 + n from unnest(array[1, 2]) id, generate_series(0, 2) n',
  )
  expect(await computeMissingMinuteBars(deps)).toBe(6)
  expect(await computeMissingMinuteBars(deps)).toBe(0)
  const again = await pool.query('select * from bar_1m order by instrument_id, minute')
  expect(again.rows.map(comparable)).toEqual(stored.rows.map(comparable))
  expect(stored.rows.length).toBeGreaterThan(2_000)
})

test('a day is added up although trades of it keep arriving', async () => {
  await store()
  await pool.query('insert into bar_unkept_day (instrument_id, day) select 1, 20030 + n from generate_series(0, 2) n')
  await pool.query('delete from bar_1m where instrument_id = 1')
  let arrived = 0
  const arrive = async () => {
    const time = START_NS + BigInt((arrived * 7_919) % SPAN_SECONDS) * 1_000_000_000n
    arrived += 1
    await storeAtOnce(pool, [{ instrumentId: 1, trades: [someTrade(`late-${arrived}`, time)], l2Events: [] }])
  }
  const arriving = new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'query') return value.bind(target)
      return async (...args: unknown[]) => {
        await arrive()
        return Reflect.apply(value, target, args)
      }
    },
  })
  expect(await computeMissingMinuteBars({ pool: arriving, lake: deps.lake })).toBe(3)
  expect(arrived).toBeGreaterThan(3)
  const stored = await pool.query('select * from bar_1m where instrument_id = 1 order by minute')
  await pool.query('insert into bar_unkept_day (instrument_id, day) select 1, 20030 + n from generate_series(0, 2) n')
  expect(await computeMissingMinuteBars(deps)).toBe(3)
  const again = await pool.query('select * from bar_1m where instrument_id = 1 order by minute')
  expect(again.rows.map(comparable)).toEqual(stored.rows.map(comparable))
})

function comparable(row: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, canonicalDecimal(String(value))]))
}

test.each([
  ['1m', 60],
  ['5m', 300],
  ['1h', 3_600],
  ['5s', 5],
] as const)('bars of %s are those that DuckDB computes from the same trades', async (interval, seconds) => {
  await store()
  const bars = await walk({ venues: ['sim'], symbols: ['BTC-USDT'], end: '2024-11-19', interval, limit: 1_000 })
  const ours = bars.map((bar) => {
    const { open, high, low, close, volume, notional, count, first_sequence, last_sequence } = bar
    const start = String(BigInt(Date.parse(bar.ts_start)) * 1_000_000n)
    return [start, open, high, low, close, volume, notional, String(count), first_sequence, last_sequence]
  })
  expect(ours).toEqual(await barsOfDuckDb(BigInt(seconds) * 1_000_000_000n))
})

async function barsOfDuckDb(stepNs: bigint): Promise<string[][]> {
  const { rows } = await pool.query<Record<string, string>>(
    'select ts_event, sequence, price::text, size::text from trade where instrument_id = 1',
  )
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    await connection.run('create table t (ts bigint, seq bigint, price decimal(18, 3), size decimal(18, 8))')
    const values = rows.map((row) => `(${row['ts_event']}, ${row['sequence']}, ${row['price']}, ${row['size']})`)
    await connection.run(`insert into t values ${values.join(',')}`)
    const result = await connection.runAndReadAll(`
      select (ts - ts % ${stepNs})::varchar, arg_min(price, (ts, seq))::varchar, max(price)::varchar, min(price)::varchar,
        arg_max(price, (ts, seq))::varchar, sum(size)::varchar, sum(price * size)::varchar, count(*)::varchar,
        arg_min(seq, (ts, seq))::varchar, arg_max(seq, (ts, seq))::varchar
      from t group by ts - ts % ${stepNs} order by ts - ts % ${stepNs}`)
    return result
      .getRowsJson()
      .map((row) => row.map((value) => (typeof value === 'string' ? (canonicalDecimal(value) ?? '') : '')))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
