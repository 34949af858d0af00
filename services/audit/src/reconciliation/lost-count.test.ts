import { afterAll, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS, openReconciliation } from '../../test/reconciliation.fixture.ts'

const { deps, clock, ago, seeded, decided, lose, counted, compare, reportOf, reset, close } = await openReconciliation()
beforeEach(reset)
afterAll(close)

test('differences recorded before Redis lost the account are kept, and only a row corrects them', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(15), 5)
  await decided(accountId, ago(14), 10)
  await counted(accountId, ago(14), 8)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 7 })
  await lose(accountId, ago(15))
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 7, unverified_minutes: 0 })
  await seeded(accountId, deps.now())
  clock.nowMs += 25 * 60 * MINUTE_MS
  expect(await compare('all that Redis keeps')).toMatchObject({ closed: 2 })
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 7, unverified_minutes: 0 })
  await counted(accountId, ago(14), 2)
  await compare('all that Redis keeps')
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 5, total: 10 })
})

test('an adjustment does not change when Redis loses the account', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(15), 10)
  await counted(accountId, ago(15), 8)
  await compare()
  clock.nowMs += 25 * 60 * MINUTE_MS
  await compare('all that Redis keeps')
  await lose(accountId, ago(15))
  await compare('all that Redis keeps')
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 2, unverified_minutes: 0 })
})

test('a pending minute that Redis lost becomes drift after ten minutes', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(3), 5)
  await counted(accountId, ago(3), 4)
  await compare()
  await lose(accountId, ago(3))
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ final_until: '2026-11-21T11:57:00.000Z', drift: 0 })
  clock.nowMs += 10 * MINUTE_MS
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ final_until: '2026-11-21T12:09:00.000Z', drift: 1 })
})
