import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { openTestLake } from '../../test/lake/lake.fixture.ts'
import { someTrade } from '../../test/records.fixture.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { resealDay } from './reseal-day.ts'

const DAY = 19_943
const BTC = { instrumentId: 1, channel: 'trade', day: DAY } as const

const lake = await openTestLake()
afterAll(() => lake.close())

test('a day whose rows are deleted from PostgreSQL while it is resealed keeps its rows', async () => {
  const { pool } = lake.database
  const trades = ['1', '2', '3'].map((id) => someTrade(id, dayStart(DAY) + BigInt(id)))
  await storeAtOnce(pool, [{ instrumentId: 1, trades, l2Events: [] }])
  await lake.seal(BTC)
  const dropping = await pool.connect()
  await dropping.query('begin; set local idle_in_transaction_session_timeout = 0')
  await dropping.query('update sealed_file set hot_dropped_at = now()')
  await dropping.query('delete from trade')
  const resealed = resealDay(lake.deps, BTC)
  await waitUntil('resealing waits for the lock', async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 1
  })
  await dropping.query('commit')
  dropping.release()
  expect(await resealed).toBe('sealed')
  const { rows } = await pool.query('select revision, row_count from sealed_file where superseded_at is null')
  expect(rows).toEqual([{ revision: 2, row_count: '3' }])
})
