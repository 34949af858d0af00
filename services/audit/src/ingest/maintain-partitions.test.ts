import { connectDatabase, createPool } from '@tapeline/database/connect'
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

const { db, url, drop } = await openTestDatabase<Tables>(migrations)
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

test('more old rows than a statement may delete are deleted in batches', async () => {
  await sql`
    insert into usage_check (account_id, minute_at, cells, rows, state, checked_at)
    select gen_random_uuid(), '2026-03-01'::timestamptz + n * interval '1 minute', 0, 1, 'unverified', now()
    from generate_series(1, 300) n`.execute(db)
  await sql`
    insert into usage_shadow select uuidv7(), '2026-03-01', gen_random_uuid(), 'session', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from generate_series(1, 300)`.execute(db)
  // Together longer than the two seconds of a service's pool.
  await sql`
    create function delete_slowly() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(0.01);
      return old;
    end $$`.execute(db)
  for (const table of ['usage_check', 'usage_shadow']) {
    await sql`create trigger slow before delete on ${sql.table(table)} for each row execute function delete_slowly()`.execute(
      db,
    )
  }
  const pool = createPool({ url, connectionsMax: 1, applicationName: 'maintain-partitions-test' })
  await maintainPartitions({ ...deps, db: connectDatabase<Tables>(pool) }, 20)
  await pool.end()
  for (const table of ['usage_check', 'usage_shadow'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  }
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
