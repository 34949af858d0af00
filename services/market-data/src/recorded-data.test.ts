import type { Trade, TradePage } from '@tapeline/contracts/market-data/http'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApp } from './app.ts'
import { createDeps, type Deps } from './deps.ts'
import { importFiles } from '../test/import-files.fixture.ts'
import type { FileSummary } from './importers/summary.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

/** Long: a quarter of a million rows and thousands of calls, while other tests run on the same machine. */
const BUSY_TIMEOUT_MS = 300_000
const FIRST_ID = 3_735_683_259
const LAST_ID = 3_735_703_162
/** Trades in one millisecond. */
const TIE_ROWS = 735
const binanceFiles = ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'].map(
  (name) => recording('binance-spot', name) ?? '',
)
const spyFile = recording('us-equity', 'spy_20131007_trade.zip') ?? ''
const hasRecordings = ![...binanceFiles, spyFile].includes('')
vi.setConfig({ testTimeout: BUSY_TIMEOUT_MS, hookTimeout: BUSY_TIMEOUT_MS })

const actor = someUser({ tier: 'pro' })

if (!hasRecordings) test.skip(NO_RECORDINGS, () => {})

let database: TestDatabase<Tables>
let deps: Deps
let app: Server
let imported: FileSummary[]

beforeAll(async () => {
  if (!hasRecordings) return
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters')
  app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  imported = await importAll()
})
afterAll(async () => {
  if (!hasRecordings) return
  await app.close()
  await database.drop()
})

async function importAll(): Promise<FileSummary[]> {
  const summaries = await importFiles(deps, undefined, [...binanceFiles, spyFile])
  expect(summaries.map(({ kind, gaps, refused }) => [kind, gaps, refused.count])).toEqual([
    ['binance-spot', 0, 0],
    ['binance-spot', 0, 0],
    ['lean-trade', 0, 0],
  ])
  expect(summaries[0]?.notes).toEqual(['1 snapshots, 3,449 updates; 2 updates older than their snapshot'])
  return summaries
}

function addedBy(summaries: readonly FileSummary[]): number[] {
  return summaries.map(({ trades, l2_events }) => trades.added + l2_events.added)
}

async function page(body: object): Promise<TradePage> {
  const response = await callAs(app, 'market-data', actor, { method: 'POST', url: '/api/v1/trades/list', body })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<TradePage>()
}

async function walk(filter: object, limit: number): Promise<Trade[]> {
  const trades: Trade[] = []
  let next = await page({ ...filter, limit })
  for (;;) {
    trades.push(...next.data)
    if (!next.has_more) return trades
    next = await page({ cursor: next.next_cursor, limit })
  }
}

/** A little over 2,000 trades with the tie in their middle, as nanosecond digits. */
async function rangeAroundTie(): Promise<{ start: string; end: string }> {
  const { rows } = await database.pool.query<{ start: string; end: string }>(`
    with tie as (
      select ts_event, min(sequence) as first from trade where instrument_id >= 100 and ts_event > 1700000000000000000
      group by ts_event having count(*) = ${TIE_ROWS})
    select min(t.ts_event)::text as start, (max(t.ts_event) + 1)::text as end
    from trade t, tie where t.instrument_id >= 100 and t.ts_event > 1700000000000000000
      and t.sequence between tie.first - 650 and tie.first + 1400`)
  return rows[0] ?? { start: '', end: '' }
}

test.skipIf(!hasRecordings)(
  'recorded data is complete, and importing it again adds nothing',
  async () => {
    expect(addedBy(imported)).toEqual([9_757 + 3_450, 10_147 + 3_044, 250_601])
    expect(addedBy(await importAll())).toEqual([0, 0, 0])
    const { rows } = await database.pool.query(`
    select symbol, count(*)::int as trades, sum(size)::text as size, min(sequence)::int as first, max(sequence)::int as last,
           count(distinct sequence)::int as sequences
    from trade join instrument using (instrument_id) group by symbol order by symbol`)
    expect(rows).toMatchObject([
      { symbol: 'BTC-USDT', trades: 19_904, first: 1, last: 19_904, sequences: 19_904 },
      { symbol: 'SPY-USD', trades: 250_601, size: '97062721', first: 1, last: 250_601, sequences: 250_601 },
    ])
  },
  BUSY_TIMEOUT_MS,
)

test.skipIf(!hasRecordings).each([
  ['asc', 7],
  ['desc', 7],
  ['asc', 100],
  ['desc', 100],
  ['asc', 1000],
  ['desc', 1000],
] as const)('paged %s by %i, each of 19,904 trades is returned exactly once', async (order, limit) => {
  const trades = await walk(
    { venues: ['binance'], symbols: ['BTC-USDT'], start: '2024-08-08', end: '2024-08-10', order },
    limit,
  )
  const ids = trades.map(({ trade_id }) => Number(trade_id))
  const expected = Array.from({ length: LAST_ID - FIRST_ID + 1 }, (_value, index) => FIRST_ID + index)
  expect(order === 'asc' ? ids : ids.toReversed()).toEqual(expected)
})

test.skipIf(!hasRecordings).each(['asc', 'desc'] as const)(
  'pages of one around the 735 trades of one millisecond: %s',
  async (order) => {
    const range = await rangeAroundTie()
    const filter = { venues: ['binance'], symbols: ['BTC-USDT'], ...range, order }
    const whole = await walk(filter, 1000)
    expect(whole.length).toBeGreaterThan(2_000)
    const ties = Map.groupBy(whole, ({ ts_event }) => ts_event)
    expect(Math.max(...[...ties.values()].map(({ length }) => length))).toBe(TIE_ROWS)
    expect(await walk(filter, 1)).toEqual(whole)
  },
)

test.skipIf(!hasRecordings)('a page deep in a day and the first page have the same rows as one scan', async () => {
  const filter = {
    venues: ['us-equity'],
    symbols: ['SPY-USD'],
    start: '2013-10-07T14:00:00Z',
    end: '2013-10-07T14:10:00Z',
  }
  const whole = await walk(filter, 1000)
  const { rows } = await database.pool.query<{ source_id: string; price: string; size: string }>(`
    select source_id, price, size from trade where ts_event >= 1381154400000000000 and ts_event < 1381155000000000000
    order by ts_event, instrument_id, sequence`)
  expect(whole.map(({ id, price, size }) => [id, price, size])).toEqual(
    rows.map(({ source_id, price, size }) => [`us-equity:SPY-USD:${source_id}`, price, size]),
  )
})
