import { connectDatabase, createPool, JOB_TIMEOUTS } from '@tapeline/database/connect'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { recorded } from '../../test/record-events.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { listAccountsOfTier, type ReplayRow } from './replay-queries.ts'

const { db, url, drop } = await openTestDatabase<Tables>(migrations)
const pool = createPool({ ...JOB_TIMEOUTS, url, connectionsMax: 1, applicationName: 'replay-queries-test' })
afterAll(async () => {
  await pool.end()
  await drop()
})

test('the accounts of a busy day are found although reading it takes longer than a request may', async () => {
  const accountId = crypto.randomUUID()
  await recorded(db, [usageEvent({ account_id: accountId, tier: 'pro', at: new Date('2026-11-20T10:00:00Z') })])
  // Longer than the limit of requests, two seconds.
  await sql`alter view logged_request rename to all_requests`.execute(db)
  await sql`create view logged_request as select * from all_requests where (select pg_sleep(2.5)) is not null`.execute(
    db,
  )
  const day = { tier: 'pro', from_at: new Date('2026-11-20'), to_at: new Date('2026-11-21') }
  expect(await listAccountsOfTier(connectDatabase<Tables>(pool), day as ReplayRow)).toEqual([accountId])
})
