import { connectRedis } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS, openReconciliation } from '../../test/reconciliation.fixture.ts'
import { raiseCompleteUntil } from '../ingest/progress-queries.ts'
import { driftMetrics } from './drift-metrics.ts'
import { createLimiter } from './limiter.ts'
import { reconcileUsage } from './reconcile-usage.ts'

const { db, deps, clock, ago, seeded, decided, counted, record, compare, reportOf, reset, close } =
  await openReconciliation()
beforeEach(reset)
afterAll(close)

const FINAL = '2026-11-21T11:59:00.000Z'

test('if the counts agree, every settled minute is final, regardless of the verdicts', async () => {
  const accountId = crypto.randomUUID()
  expect(await reportOf(accountId)).toMatchObject({ final_until: null, drift: null })
  await decided(accountId, ago(5), 3)
  await decided(accountId, ago(5), 2, 'denied')
  await decided(accountId, ago(4), 1, 'refused')
  await counted(accountId, ago(5), 3)
  await counted(accountId, ago(5), 2, deniedUsageEvent)
  await counted(accountId, ago(4), 1)
  // Requests of the current minute are not drift yet.
  await decided(accountId, ago(0), 7)
  expect(await compare()).toMatchObject({ accounts: 1, differences: 0 })
  expect(await reportOf(accountId)).toMatchObject({ final_until: FINAL, drift: 0, unverified_minutes: 0, adjusted: 0 })
})

test('no minute after the last one known to be consumed from Kafka is final', async () => {
  const accountId = crypto.randomUUID()
  await counted(accountId, ago(5), 1)
  await raiseCompleteUntil(db, 'usage', ago(7))
  await reconcileUsage(deps, 'last hour')
  expect((await reportOf(accountId)).final_until).toBe('2026-11-21T11:52:00.000Z')
})

test('a missing row is pending first, then drift, and resolved when it arrives', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(3), 5)
  await counted(accountId, ago(3), 4)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ final_until: '2026-11-21T11:57:00.000Z', drift: 0 })
  clock.nowMs += 10 * MINUTE_MS
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ final_until: '2026-11-21T12:09:00.000Z', drift: 1, total: 4 })
  await counted(accountId, ago(3), 1)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, total: 5 })
})

test('a request without a row is found with the account’s next one', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(20), 1)
  await decided(accountId, ago(2), 1)
  await counted(accountId, ago(2), 1)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 1 })
})

test('an account without any rows is found by the hourly run, and compared until they arrive', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(15), 3)
  expect(await compare()).toMatchObject({ accounts: 0 })
  expect(await compare('all that Redis keeps')).toMatchObject({ accounts: 1, differences: 1 })
  expect(await reportOf(accountId)).toMatchObject({ drift: 3, total: 0 })
  expect(await compare()).toMatchObject({ accounts: 1, differences: 1 })
  await counted(accountId, ago(15), 3)
  expect(await compare()).toMatchObject({ accounts: 1, differences: 0 })
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, total: 3 })
})

test('rows without a count in Redis, in a minute that Redis covers, are negative drift', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(15), 2)
  await counted(accountId, ago(15), 3)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: -1 })
})

test('after Redis lost its count earlier minutes are unverified, not drift', async () => {
  const accountId = crypto.randomUUID()
  await counted(accountId, ago(30), 4)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, unverified_minutes: 1, final_until: FINAL })
  await seeded(accountId, ago(20))
  await counted(accountId, ago(20), 1)
  await counted(accountId, ago(18), 1)
  await decided(accountId, ago(18), 1)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, unverified_minutes: 2 })
})

test('a row missing from the first counted minute is still detected', async () => {
  const accountId = crypto.randomUUID()
  await seeded(accountId, ago(20))
  await decided(accountId, ago(20), 2)
  await counted(accountId, ago(20), 1)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 1, unverified_minutes: 0 })
  // Rows of requests before the count began: the minute cannot be verified.
  await counted(accountId, ago(20), 2)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, unverified_minutes: 1 })
})

test('drift that is a day old becomes an adjustment of its period, and no number changes', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(15), 3)
  await counted(accountId, ago(15), 1)
  await compare()
  expect(await reportOf(accountId)).toMatchObject({ drift: 2, adjusted: 0, total: 1 })
  clock.nowMs += 25 * 60 * MINUTE_MS
  expect(await compare('all that Redis keeps')).toMatchObject({ closed: 1 })
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 2, total: 1 })
  await counted(accountId, ago(15), 2)
  await compare('all that Redis keeps')
  expect(await reportOf(accountId)).toMatchObject({ drift: 0, adjusted: 0, total: 3 })
})

test('minutes older than an hour are compared by the hourly run only', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(15), 1)
  await counted(accountId, ago(16), 1)
  await compare()
  await decided(accountId, ago(16), 1)
  await counted(accountId, ago(15), 1)
  clock.nowMs += 3 * 60 * MINUTE_MS
  await compare()
  expect(await db.selectFrom('usage_check').selectAll().execute()).toHaveLength(2)
  expect(await compare('all that Redis keeps')).toMatchObject({ accounts: 1, differences: 0 })
  expect(await db.selectFrom('usage_check').selectAll().execute()).toEqual([])
})

test('drift is recorded per account over several batches; metrics report the sum', async () => {
  const accounts = Array.from({ length: 120 }, () => crypto.randomUUID())
  await Promise.all(accounts.map((accountId, n) => decided(accountId, ago(15), 2 + (n % 2))))
  const rowsOf = (n: number) => Array.from({ length: n === 7 ? 5 : 2 }, () => n)
  await record(accounts.flatMap((account_id, n) => rowsOf(n).map(() => usageEvent({ account_id, at: ago(15) }))))
  expect(await compare()).toMatchObject({ accounts: 120, differences: 60 })
  const text = await driftMetrics(deps).metrics()
  expect(text).toContain('audit_usage_drift_requests{kind="missing"} 59')
  expect(text).toContain('audit_usage_drift_requests{kind="extra"} 2')
})

test('one run compares at a time: beside it, that of the minute leaves it at that, and that of the hour fails to be repeated', async () => {
  const accountId = crypto.randomUUID()
  await counted(accountId, ago(5), 1)
  await decided(accountId, ago(5), 1)
  await raiseCompleteUntil(db, 'usage', new Date(clock.nowMs))
  const begun = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const readCells: typeof deps.limiter.readCells = async (...args) => {
    begun.resolve()
    await resumed.promise
    return deps.limiter.readCells(...args)
  }
  const first = reconcileUsage({ ...deps, limiter: { ...deps.limiter, readCells } }, 'all that Redis keeps')
  await begun.promise
  expect(await compare()).toBe('another run compares')
  await expect(compare('all that Redis keeps')).rejects.toThrow('another run compares')
  resumed.resolve()
  expect(await first).toMatchObject({ accounts: 1, differences: 0 })
  expect(await compare('all that Redis keeps')).toMatchObject({ accounts: 1 })
})

test('while Redis is unavailable nothing is compared or final; afterwards the comparison continues', async () => {
  const accountId = crypto.randomUUID()
  await decided(accountId, ago(5), 1)
  await counted(accountId, ago(5), 1)
  await compare()
  const unavailable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  clock.nowMs += 30 * MINUTE_MS
  await raiseCompleteUntil(db, 'usage', new Date(clock.nowMs))
  expect(await reconcileUsage({ ...deps, limiter: createLimiter(unavailable) }, 'last hour')).toBeUndefined()
  unavailable.disconnect()
  expect((await reportOf(accountId)).final_until).toBe(FINAL)
  await compare()
  expect((await reportOf(accountId)).final_until).toBe('2026-11-21T12:29:00.000Z')
})
