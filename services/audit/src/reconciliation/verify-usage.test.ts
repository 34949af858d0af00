import { openTestDatabase } from '@tapeline/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import { recordUsage } from '../ingest/record-usage.ts'
import { STORED } from '../rollups/roll-up.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { isOfAccount } from '../request-log/source-queries.ts'
import type { Tables } from '../tables.ts'
import { verifyUsage } from './verify-usage.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

const at = new Date()
const record = (accountId: string) => {
  const event = usageEvent({ account_id: accountId, at })
  return db.transaction().execute((trx) => recordUsage({ db, now: () => new Date() }, trx, [event]))
}

test('an empty database is valid', async () => {
  expect(await verifyUsage(db, null)).toMatchObject({ isRight: true, rows: 0 })
})

test.each(STORED)('a wrong sum of a %s is found and reported', async (level) => {
  const accountId = crypto.randomUUID()
  await record(accountId)
  await db.updateTable(`usage_${level}`).set({ bytes_out: 1 }).where('account_id', '=', accountId).execute()
  const verdict = await verifyUsage(db, accountId)
  expect(verdict).toMatchObject({ isRight: false, levels: { [level]: { mismatches: [{ account_id: accountId }] } } })
})

test.each(STORED)('a missing latency in a %s is found', async (level) => {
  const accountId = crypto.randomUUID()
  await record(accountId)
  const latency = Buffer.alloc(0)
  await db.updateTable(`usage_${level}`).set({ latency }).where('account_id', '=', accountId).execute()
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: false })
})

test.each(['usage_network', 'usage_network_day'] as const)('a wrong sum of %s is found', async (table) => {
  const accountId = crypto.randomUUID()
  await record(accountId)
  await db.updateTable(table).set({ requests: 2 }).where('account_id', '=', accountId).execute()
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: false, networks: [{ account_id: accountId }] })
})

test('a row without its sums, sums without a row, and a repeated id are found', async () => {
  const [lost, extra, twice] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  for (const accountId of [lost, extra, twice]) await record(accountId)
  await db.deleteFrom('usage_hour').where('account_id', '=', lost).execute()
  await sql`delete from request_log where ${isOfAccount('request_log_row', extra)}`.execute(db)
  expect(await verifyUsage(db, lost)).toMatchObject({ isRight: false })
  expect(await verifyUsage(db, extra)).toMatchObject({ isRight: false })
  const first = await db
    .selectFrom('logged_request')
    .select('id')
    .where('account_id', '=', twice)
    .executeTakeFirstOrThrow()
  const again = usageEvent({ account_id: twice, id: first.id, at: new Date(at.getTime() - 1) })
  await db.transaction().execute((trx) => recordUsage({ db, now: () => new Date() }, trx, [again]))
  expect(await verifyUsage(db, null)).toMatchObject({ isRight: false, repeatedIds: 1 })
})
