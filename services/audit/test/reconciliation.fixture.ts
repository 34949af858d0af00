import { accountHashKey, SEEDED_FIELD } from '@tapeline/service/account-versions'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { connectRedis, type RedisClient, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import type { Deps } from '../src/deps.ts'
import { raiseCompleteUntil } from '../src/ingest/progress-queries.ts'
import { recordUsage } from '../src/ingest/record-usage.ts'
import { migrations } from '../src/migrations/all.ts'
import { createLimiter } from '../src/reconciliation/limiter.ts'
import { reconcileUsage } from '../src/reconciliation/reconcile-usage.ts'
import { showDashboardMetrics } from '../src/reports/show-dashboard-metrics.ts'
import type { Tables } from '../src/tables.ts'
import { testIds } from './ids.fixture.ts'

export const MINUTE_MS = 60_000
const START_MS = Date.parse('2026-11-21T12:00:20Z')

/** The limiter's count in Redis and the rows of audit, which a test writes apart. `close` it in afterAll. */
export async function openReconciliation() {
  const { db, drop } = await openTestDatabase<Tables>(migrations)
  const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
  await redisReady(redis, 30_000)
  const clock = { nowMs: START_MS }
  /** Accounts of this test: other tests share the Redis. */
  const own = new Set<string>()
  const limiter = createLimiter(redis)
  const deps: Deps = {
    db,
    now: () => new Date(clock.nowMs),
    ...testIds,
    retention: { rowDays: 90 },
    settings: fixedSettings(),
    limiter: {
      ...limiter,
      listAccounts: async (range) => (await limiter.listAccounts(range)).filter((accountId) => own.has(accountId)),
    },
    ownsKey: async () => true,
  }
  const record = (events: ReturnType<typeof usageEvent>[]) =>
    db.transaction().execute((trx) => recordUsage({ db, now: () => new Date() }, trx, events))
  return {
    db,
    deps,
    clock,
    record,
    ago: (minutes: number) => new Date(START_MS - minutes * MINUTE_MS),
    ...limiterCounts(redis, own),
    counted: (accountId: string, at: Date, count: number, make = usageEvent) =>
      record(Array.from({ length: count }, () => make({ account_id: accountId, at }))),
    /** Runs a comparison with everything in Kafka applied. */
    compare: async (reach: Parameters<typeof reconcileUsage>[1] = 'last hour') => {
      await raiseCompleteUntil(db, 'usage', new Date(clock.nowMs))
      return reconcileUsage(deps, reach)
    },
    reportOf: async (accountId: string) => {
      const report = await showDashboardMetrics(deps, someUser({ userId: accountId }), {})
      const { final_until, drift, unverified_minutes, adjusted, total } = report
      return { final_until, drift, unverified_minutes, adjusted, total }
    },
    reset: async () => {
      clock.nowMs = START_MS
      own.clear()
      for (const table of ['usage_check', 'usage_account', 'usage_progress'] as const) {
        await db.deleteFrom(table).execute()
      }
    },
    close: async () => {
      redis.disconnect()
      await drop()
    },
  }
}

/** Writes to Redis as the limiter does. */
function limiterCounts(redis: RedisClient, own: Set<string>) {
  return {
    seeded: (accountId: string, at: Date) => redis.hset(accountHashKey(accountId), SEEDED_FIELD, String(at.getTime())),
    /** Writes what decide.lua writes for this many requests at that time. */
    decided: async (accountId: string, at: Date, count: number, kind = 'admitted') => {
      own.add(accountId)
      const minute = Math.floor(at.getTime() / MINUTE_MS)
      await redis.hsetnx(accountHashKey(accountId), SEEDED_FIELD, String(START_MS - 3 * 86_400_000))
      await redis.hincrby(`usage:{${accountId}}:${Math.floor(minute / 60)}`, `${minute}:session:${kind}`, count)
    },
    /** Deletes the account from Redis, as a flush or a failover to an empty replica does. */
    lose: async (accountId: string, hourOf: Date) => {
      const hour = Math.floor(hourOf.getTime() / (60 * MINUTE_MS))
      await redis.del(accountHashKey(accountId), `usage:{${accountId}}:${hour}`)
    },
  }
}
