import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps, type Deps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { someTrade } from '../../test/records.fixture.ts'
import { ensurePartitions } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import type { ListBody } from './filter.ts'
import { listRecords } from './list-records.ts'
import { listRows } from './record-queries.ts'

const START_NS = 1_723_075_200_000_000_000n
const ROWS = 100_000
const RARE_EVERY = 49_000
const actor = someUser({ tier: 'pro' })
let database: TestDatabase<Tables>
let deps: Deps

/** Many trades of two instruments, of which few are sells. */
beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date('2024-08-09T12:00:00Z'), 'a secret of at least 32 characters')
  const day = someTrade('x', START_NS)
  await ensurePartitions(database.pool, [{ instrumentId: 1, trades: [day], l2Events: [] }])
  await atLeisure(`
    insert into trade (ts_event, ts_recv, sequence, instrument_id, flags, side, side_source, has_trade_id, price, size, source_id)
    select ${START_NS} + (n / 10) * 1000, 0, n, instrument_id, 0, case when n % ${RARE_EVERY} = 0 then 's' else 'b' end::"char", 'v', true, 1, 1, n::text
    from generate_series(1, ${ROWS}) as n cross join unnest(array[1, 2]) as instrument_id where instrument_id = 1 or n % 2 = 0`)
  await atLeisure('vacuum analyze trade')
})

/** A separate pool for the preparation, without the time limit of the service's pool. */
async function atLeisure(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
afterAll(() => database.drop())

async function walk(body: ListBody) {
  const pages = [await listRecords(deps, actor, 'trade', body)]
  for (let page = pages[0]; page?.hasMore === true; page = pages.at(-1)) {
    pages.push(await listRecords(deps, actor, 'trade', { cursor: page.nextCursor }))
  }
  return pages
}

test.each(['asc', 'desc'] as const)(
  'a filter that few records fit gives short pages and loses none: %s',
  async (order) => {
    const pages = await walk({ venues: ['sim'], side: 'sell', order })
    const found = pages.flatMap(({ rows }) => rows.map(([instrumentId, sequence]) => `${sequence} ${instrumentId}`))
    const expected = ['49000 1', '49000 2', '98000 1', '98000 2']
    expect(found).toEqual(order === 'asc' ? expected : expected.toReversed())
    expect(pages.length).toBeGreaterThan(2)
    expect(pages[0]?.warnings).toMatchObject([{ code: 'page.short' }])
    expect(pages.at(-1)?.warnings).toEqual([])
  },
)

test('a page has at most 10,000 records, also with the cursor of a stream of more', async () => {
  const body = { venues: ['sim'], limit: 20_000, portion: 1_000 }
  const { limit, nextCursor } = await listRecords(deps, actor, 'trade', body)
  expect(limit).toBe(20_000)
  expect((await listRecords(deps, actor, 'trade', { cursor: nextCursor })).rows).toHaveLength(10_000)
})

/** Buffers that PostgreSQL read for a page of 1,000 after this sequence. */
async function blocksOfPage(sequence: number, instrumentIds: number[]): Promise<number> {
  const tsEvent = String(START_NS + BigInt(Math.floor(sequence / 10)) * 1000n)
  const after = { tsEvent, instrumentId: 1, sequence: String(sequence) }
  const filter = { order: 'asc', time_format: 'rfc3339' } as const
  let blocks = 0
  const explaining = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>({
        text: `explain (analyze, buffers, format json) ${text}`,
        values,
      })
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {}
      blocks += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
      return { rows: [] }
    },
  }
  const pool = explaining as unknown as pg.Pool
  await listRows(pool, { channel: 'trade', instrumentIds, filter, after }, { limit: 1001, scanMax: 0 })
  return blocks
}

test.each([[[1]], [[1, 2]]])(
  'a page at row 90,000 touches as few blocks as an early one: instruments %j',
  async (instrumentIds) => {
    const early = await blocksOfPage(500, instrumentIds)
    const deep = await blocksOfPage(90_000, instrumentIds)
    expect(early).toBeGreaterThan(5)
    expect(deep).toBeLessThan(early * 1.5)
  },
)
