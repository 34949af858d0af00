import { openTestDatabase } from '@tapeline/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { ensureDays } from '../rollups/ensure-days.ts'
import { maintainPartitions } from './maintain-partitions.ts'
import { migrations } from '../migrations/all.ts'
import { listPartitionDays } from '../rollups/partition-queries.ts'
import { recordUsage } from './record-usage.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import type { Tables } from '../tables.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
const NOW = new Date('2026-03-10T23:59:00Z')
const deps = { db, now: () => NOW, retention: { rowDays: 3 } }

test('days past their retention are dropped, sums stay, and the remaining data is consistent', async () => {
  const accountId = crypto.randomUUID()
  const days = ['2026-03-01', '2026-03-06', '2026-03-07', '2026-03-10']
  const events = days.map((day) => usageEvent({ account_id: accountId, at: new Date(`${day}T12:00:00Z`) }))
  await db.transaction().execute((trx) => recordUsage(deps, trx, events))
  await maintainPartitions(deps)
  await maintainPartitions(deps)
  expect(await listPartitionDays(db, 'request_log')).toEqual(['2026-03-07', '2026-03-10', '2026-03-11'])
  expect(await listPartitionDays(db, 'usage_minute')).toEqual(['2026-03-07', '2026-03-10', '2026-03-11'])
  const sums = await db.selectFrom('usage_day').select('bucket_at').where('account_id', '=', accountId).execute()
  expect(sums).toHaveLength(4)
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, rows: 2 })
})

test("a day's partitions are created once by concurrent callers", async () => {
  const dayMs = Date.parse('2026-05-05T00:00:00Z')
  // A separate Kysely instance has its own cache of known days, like a separate process.
  await Promise.all([db, db.withTables(), db.withTables()].map((one) => ensureDays(one, [dayMs])))
  expect(await listPartitionDays(db, 'request_log')).toContain('2026-05-05')
})

test("the sums of a new day have free space for their rows' next versions; rows of requests, never updated, have none", async () => {
  await ensureDays(db, [Date.parse('2026-05-06T00:00:00Z')])
  const { rows } = await sql<{ table: string; options: string[] | null }>`
    select relname as table, reloptions as options from pg_class where relkind = 'r'
      and relname in ('usage_minute_20260506', 'usage_network_20260506', 'usage_hour', 'request_log_20260506')
    order by relname`.execute(db)
  expect(rows.map(({ table, options }) => `${table} ${options?.join() ?? 'default'}`)).toEqual([
    'request_log_20260506 default',
    'usage_hour fillfactor=60',
    'usage_minute_20260506 fillfactor=60',
    'usage_network_20260506 fillfactor=60',
  ])
})
