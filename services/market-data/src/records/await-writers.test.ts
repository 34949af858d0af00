import { createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { awaitWriters } from './as-of-queries.ts'

const { pool, url, drop } = await openTestDatabase<Tables>(migrations)
/** The lock timeout of requests: 500 ms. */
const requests = createPool({
  ...LONG_TIMEOUTS,
  url,
  connectionsMax: 1,
  applicationName: 'requests',
  lockTimeoutMs: 500,
})
afterAll(async () => {
  await requests.end()
  await drop()
})

test('a read as of now waits for a writer for longer than a request usually waits for a lock', async () => {
  const writer = await pool.connect()
  await writer.query('begin; set local idle_in_transaction_session_timeout = 0')
  await writer.query(`select from channel where instrument_id = 1 and name = 'trade' for update`)
  let failure: unknown
  const reading = awaitWriters(requests, { channel: 'trade', instrumentIds: [1], asOf: '0' }).catch(
    (error: unknown) => (failure = error),
  )
  await waitUntil('the read has waited for 600 ms, or failed', async () => {
    const { rowCount } = await pool.query(`select from pg_stat_activity where datname = current_database()
      and application_name = 'requests' and wait_event_type = 'Lock'
      and clock_timestamp() - query_start > interval '600 milliseconds'`)
    return rowCount === 1 || failure !== undefined
  })
  await writer.query('commit')
  writer.release()
  await reading
  expect(failure).toBeUndefined()
})
