import { afterAll, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS, openReconciliation } from '../../test/reconciliation.fixture.ts'
import { recountAdjusted } from './check-queries.ts'

const { db, clock, ago, decided, counted, compare, reportOf, reset, close } = await openReconciliation()
beforeEach(reset)
afterAll(close)

const DAY_MINUTES = 24 * 60

test('rows reverse an adjustment when Redis no longer has the count of their minute', async () => {
  const [accountId, other] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const id of [accountId, other]) {
    await decided(id, ago(15), 3)
    await counted(id, ago(15), 1)
  }
  await compare()
  clock.nowMs += 5 * DAY_MINUTES * MINUTE_MS
  await compare('all that Redis keeps')
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 2, total: 1 })
  await counted(accountId, ago(15), 1)
  await compare('all that Redis keeps')
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 1, total: 2 })
  await counted(accountId, ago(15), 1)
  await compare('all that Redis keeps')
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 0, total: 3 })
  expect(await reportOf(other)).toMatchObject({ drift: 0, adjusted: 2, total: 1 })
  const left = await db.selectFrom('usage_check').select(['account_id', 'rows']).execute()
  expect(left).toEqual([{ account_id: other, rows: '1' }])
})

test('adjusted minutes are recounted in pages, past those that still differ', async () => {
  const accountIds = Array.from({ length: 3 }, () => crypto.randomUUID()).toSorted()
  for (const id of accountIds) {
    await decided(id, ago(15), 3)
    await counted(id, ago(15), 1)
  }
  await compare()
  clock.nowMs += 5 * DAY_MINUTES * MINUTE_MS
  await compare('all that Redis keeps')
  for (const [late, id] of accountIds.entries()) if (late > 0) await counted(id, ago(15), late)
  const rowsLeft = async () => {
    const left = await db.selectFrom('usage_check').select('rows').orderBy('account_id').execute()
    return left.map(({ rows }) => rows)
  }
  const before = new Date(clock.nowMs)
  let last = await recountAdjusted(db, before, undefined, 1)
  expect(last).toMatchObject({ account_id: accountIds[0] })
  expect(await rowsLeft()).toEqual(['1', '1', '1'])
  while (last !== undefined) last = await recountAdjusted(db, before, last, 1)
  expect(await rowsLeft()).toEqual(['1', '2'])
})

test('a minute that was pending when an outage began becomes an adjustment, and later minutes become final', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(3), 3)
  await counted(accountId, ago(3), 1)
  await compare()
  clock.nowMs += 5 * DAY_MINUTES * MINUTE_MS
  await compare()
  await compare('all that Redis keeps')
  const final_until = '2026-11-26T11:59:00.000Z'
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 2, total: 1, final_until })
  await counted(accountId, ago(3), 2)
  await compare('all that Redis keeps')
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 0, total: 3, final_until })
})
