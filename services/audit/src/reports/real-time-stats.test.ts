import { connectRedis, redisReady } from '@tapeline/service/redis'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import type { Deps } from '../deps.ts'
import { testIds } from '../../test/ids.fixture.ts'
import { createLimiter } from '../reconciliation/limiter.ts'
import { unavailableLimiter } from '../../test/limiter.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { raiseCompleteUntil } from '../ingest/progress-queries.ts'
import { recordUsage } from '../ingest/record-usage.ts'
import { showRealTimeStats } from './show-real-time-stats.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
afterAll(async () => {
  redis.disconnect()
  await drop()
})
const NOW = new Date('2026-11-21T12:34:56.789Z')
const deps: Deps = {
  db,
  now: () => NOW,
  ...testIds,
  retention: { rowDays: 90 },
  settings: fixedSettings(),
  limiter: unavailableLimiter,
  ownsKey: async () => true,
}
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)
const record = (events: ReturnType<typeof usageEvent>[]) =>
  db.transaction().execute((trx) => recordUsage({ db, now: () => new Date() }, trx, events))

test('the last minute and the last five are counted to the millisecond, with percentiles', async () => {
  const actor = someUser({ tier: 'basic' })
  const edges = [0.001, 59.999, 60, 60.001, 61, 299.999, 300, 300.001, 301, -0.001, 0].map(ago)
  const spread = Array.from({ length: 300 }, (_, n) => ago(n * 1.1))
  const events = [...edges, ...spread].map((at, n) =>
    n % 10 === 3
      ? deniedUsageEvent({ account_id: actor.userId, at })
      : usageEvent({ account_id: actor.userId, at, latency_us: 900 + 71 * n }),
  )
  await record(events)
  const stats = await showRealTimeStats(deps, actor)
  for (const [name, seconds] of [
    ['last_minute', 60],
    ['last_5_minutes', 300],
  ] as const) {
    const inside = events.filter(({ time }) => new Date(time) >= ago(seconds) && new Date(time) < NOW)
    const denied = inside.filter(({ data }) => data.outcome === 'denied').length
    expect(stats[name]).toMatchObject({
      total: inside.length,
      denied,
      success_rate: (inside.length - denied) / inside.length,
      from: ago(seconds).toISOString(),
      to: NOW.toISOString(),
    })
    const sorted = inside
      .flatMap(({ data }) => (data.outcome === 'ok' ? [data.latency_us / 1_000] : []))
      .toSorted((a, b) => a - b)
    const exact = sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0
    expect(Math.abs((stats[name].latency_ms?.p95 ?? 0) - exact)).toBeLessThanOrEqual(exact * 0.010001)
  }
})

test('without requests there are zeros and a null rate; percentiles need basic analytics', async () => {
  const actor = someUser({ tier: 'free' })
  expect((await showRealTimeStats(deps, actor)).last_minute).toMatchObject({ total: 0, success_rate: null })
  await record([usageEvent({ account_id: actor.userId, at: ago(3) })])
  const stats = await showRealTimeStats(deps, actor)
  expect(stats.last_minute).toMatchObject({ total: 1, success_rate: 1, latency_ms: null })
  expect(stats.locked.map(({ feature }) => feature)).toEqual(['basicAnalytics', 'advancedAnalytics'])
})

test('requests in flight are the unexpired leases; null while Redis is unavailable', async () => {
  const actor = someUser()
  await redis.zadd(`leases:{${actor.userId}}`, NOW.getTime() + 5_000, 'a', NOW.getTime() + 1, 'b', NOW.getTime(), 'c')
  const withLimiter = { ...deps, limiter: createLimiter(redis) }
  expect((await showRealTimeStats(withLimiter, actor)).in_flight).toBe(2)
  expect((await showRealTimeStats(withLimiter, someUser())).in_flight).toBe(0)
  const unreachable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  expect((await showRealTimeStats({ ...deps, limiter: createLimiter(unreachable) }, actor)).in_flight).toBeNull()
  unreachable.disconnect()
})

test('the windows end at the time until which the numbers are complete', async () => {
  const actor = someUser()
  await record([ago(10), ago(100), ago(200)].map((at) => usageEvent({ account_id: actor.userId, at })))
  await raiseCompleteUntil(db, 'usage', ago(90))
  const stats = await showRealTimeStats(deps, actor)
  expect(stats).toMatchObject({ as_of: ago(90).toISOString(), last_minute: { total: 1 }, last_5_minutes: { total: 2 } })
})
