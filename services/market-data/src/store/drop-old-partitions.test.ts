import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps, type Deps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { someTrade } from '../../test/records.fixture.ts'
import type { Tables } from '../tables.ts'
import { dropOldPartitions } from './drop-old-partitions.ts'
import type { TradeRecord } from './record.ts'
import { storeAtOnce, storeRecords } from './store-records.ts'

const SIM_BTC = 1
let database: TestDatabase<Tables>
let deps: Deps
let imported = 0

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date('2026-03-20T12:00:00Z'), 'a secret of at least 32 characters')
  const { rows } = await database.pool.query<{ id: number }>(`
    with made as (
      insert into instrument (venue, symbol, venue_symbol, base, quote, size_unit, ts_event_precision)
      values ('binance', 'BTC-USDT', 'BTCUSDT', 'BTC', 'USDT', 'base', 'ms') returning instrument_id)
    insert into channel (instrument_id, name)
    select instrument_id, name from made cross join unnest(array['trade', 'l2_event']) as name returning instrument_id as id`)
  imported = rows[0]?.id ?? 0
})
afterAll(() => database.drop())

function tradeAt(day: string): TradeRecord {
  return someTrade(day, `${Date.parse(day)}000000`)
}

test('simulated days older than the retention are dropped, imported data and newer days stay', async () => {
  const days = ['2026-03-10', '2026-03-12', '2026-03-13', '2026-03-20'].map(tradeAt)
  await storeAtOnce(database.pool, [
    { instrumentId: SIM_BTC, trades: days, l2Events: [] },
    { instrumentId: imported, trades: [tradeAt('2026-03-12'), tradeAt('2013-10-07')], l2Events: [] },
  ])
  expect(await dropOldPartitions(deps, 7)).toEqual(['trade_20260310', 'trade_20260312'])
  expect(await dropOldPartitions(deps, 7)).toEqual([])
  const { rows } = await database.pool.query('select instrument_id, source_id from trade order by 1, 2')
  expect(rows).toEqual([
    { instrument_id: SIM_BTC, source_id: '2026-03-13' },
    { instrument_id: SIM_BTC, source_id: '2026-03-20' },
    { instrument_id: imported, source_id: '2013-10-07' },
    { instrument_id: imported, source_id: '2026-03-12' },
  ])
  const { rows: channels } = await database.pool.query({
    text: `select stored_rows, last_sequence, retained_from from channel where instrument_id = $1 and name = 'trade'`,
    values: [SIM_BTC],
  })
  expect(channels).toEqual([
    { stored_rows: '2', last_sequence: '4', retained_from: `${Date.parse('2026-03-13')}000000` },
  ])
})

async function sourceIdsOf(instrumentId: number, day: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ source_id: string }>({
    text: 'select source_id from trade where instrument_id = $1 and source_id = $2',
    values: [instrumentId, day],
  })
  return rows.map(({ source_id }) => source_id)
}

test('a day into which an import is writing is kept with its records', async () => {
  const day = '2026-03-09'
  await storeAtOnce(database.pool, [{ instrumentId: SIM_BTC, trades: [tradeAt(day)], l2Events: [] }])
  const batch = [{ instrumentId: imported, trades: [tradeAt(day)], l2Events: [] }]
  const client = await database.pool.connect()
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  await storeRecords(client, batch, { isOrdered: false })
  const dropping = dropOldPartitions(deps, 7)
  await waitUntil('the dropping waits for the import', async () => {
    const { rows } = await database.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`)
    return rows.length > 0
  })
  await client.query('commit')
  client.release()
  expect(await dropping).toEqual(['trade_20260309'])
  expect(await sourceIdsOf(imported, day)).toEqual([day])
  expect(await sourceIdsOf(SIM_BTC, day)).toEqual([])
})

test('a partition that is dropped just before the transaction that stores into it is created again', async () => {
  const day = '2026-03-08'
  const batch = [{ instrumentId: imported, trades: [tradeAt(day)], l2Events: [] }]
  let tries = 0
  const stored = await storeAtOnce(database.pool, batch, async (client) => {
    tries += 1
    if (tries === 1) expect(await dropOldPartitions(deps, 7)).toEqual(['trade_20260308'])
    return storeRecords(client, batch, { isOrdered: false })
  })
  expect([tries, stored.trades]).toEqual([2, 1])
  expect(await sourceIdsOf(imported, day)).toEqual([day])
})
