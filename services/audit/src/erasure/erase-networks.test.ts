import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { sql, type Transaction } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import type { Tables } from '../tables.ts'
import { blankNetworks, findBatchEnd, inIndexOrder } from './network-erasure-queries.ts'

const { db, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const DAY = '2026-03-09'
const ROWS = 3_000
const BATCH = 1_000

/** Rows of the day's partition that the statements of `work` read. */
async function countRead(work: (trx: Transaction<Tables>) => Promise<unknown>): Promise<number> {
  return inIndexOrder(db, async (trx) => {
    const before = await readUntilNow(trx)
    await work(trx)
    return (await readUntilNow(trx)) - before
  })
}

/** By this connection, since it last reported them. */
async function readUntilNow(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables
    where relname = 'request_log_20260309'`.execute(trx)
  return rows[0]?.n ?? 0
}

test('a batch reads its own rows, and not the rest of the day', async () => {
  const account_id = crypto.randomUUID()
  await record(usageEvent({ account_id, at: new Date(`${DAY}T00:00:00Z`) }))
  await sql`
    insert into request_log
    select time + n * interval '10 s', latency_us, bytes_out, gen_random_uuid(), gen_random_uuid(), account, bytes_in, rows_returned,
      kind, key, gateway, network, detail
    from (select * from request_log limit 1) one, generate_series(1, ${ROWS}) n`.execute(db)
  await sql`analyze request_log`.execute(db)
  const rows = { table: 'request_log' as const, accountId: account_id, day: DAY }
  const after = [`${DAY} 01:00:00+00`, crypto.randomUUID()]
  const read = await countRead((trx) => findBatchEnd(trx, { ...rows, after }, BATCH))
  expect(read).toBeGreaterThanOrEqual(BATCH)
  expect(read).toBeLessThan(2 * BATCH)
  const through = await inIndexOrder(db, (trx) => findBatchEnd(trx, { ...rows, after }, BATCH))
  if (through === undefined) throw new Error('there are more rows')
  expect(await countRead((trx) => blankNetworks(trx, { ...rows, after, through }))).toBeLessThan(2 * BATCH)
})
