import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { compilePlan } from './account-plan.ts'
import { AccountCounters } from './account-counters.ts'
import { connectLimiter } from './connect-limiter.ts'
import { scripts } from './scripts/scripts.ts'
import { storeReady } from './redis/limiter-store.ts'
import { LimiterMaintenance } from './limiter-maintenance.ts'
import { openLimiterStore } from './redis/open-limiter-store.ts'
import { testTiers } from '../../test/tiers.fixture.ts'

const { redisUrl } = testServers()
const redis = connectRedis({ url: redisUrl, logger: silentLogger, commandTimeoutMs: 5_000 })
await redisReady(redis, 60_000)
const store = await openLimiterStore(redisUrl, silentLogger)
await storeReady(store, 60_000)
await store.loadScripts([scripts.merge])
const maintenance = new LimiterMaintenance({
  store,
  fetchSeed: async () => undefined,
  logger: silentLogger,
  processTag: crypto.randomUUID(),
  gatewaysExpected: 1,
  isUp: () => true,
  connectedSinceMs: () => 0,
})
afterAll(async () => {
  await maintenance.stop()
  redis.disconnect()
  store.disconnect()
})

const subscription = { version: 1, tier: 'pro', anchor: '2026-01-01T00:00:00Z', trial_ends_at: null } as const
const rate_limits = testTiers.pro.rateLimits

/** An account with one request admitted by the fallback. */
function admittedByFallback(by = maintenance): AccountCounters {
  const nowMs = Date.now()
  const id = crypto.randomUUID()
  const counters = new AccountCounters(id)
  const plan = compilePlan({ account_id: id, ...subscription, rate_limits, time_zone: 'UTC' }, testTiers, nowMs)
  by.fallbackOf(counters).decide({ nowMs, plan, kid: 'x', openHere: 0 })
  return counters
}

test('accounts that cannot be merged, however many, do not delay the merge of others', async () => {
  const idle = Array.from({ length: 60 }, () => admittedByFallback())
  // The value of its counters is not a hash, so loading fails.
  const broken = admittedByFallback()
  await redis.set(broken.keys.account, 'no hash')
  const seeded = admittedByFallback()
  await redis.hset(seeded.keys.account, 'g', '1')
  await waitUntil('the seeded one is merged', () => seeded.fallback?.isEmpty() === true, 60_000)
  expect(await redis.exists(seeded.keys.rings)).toBe(1)
  expect([...idle, broken].every(({ fallback }) => fallback?.isEmpty() === false)).toBe(true)
  await redis.del(broken.keys.account)
  await Promise.all([...idle, broken].map(({ keys }) => redis.hset(keys.account, 'g', '1')))
  await waitUntil(
    'all are merged',
    () => [...idle, broken].every(({ fallback }) => fallback?.isEmpty() === true),
    60_000,
  )
})

test('a stopping process merges its admissions and releases its leases', async () => {
  const stops: (() => unknown)[] = []
  const { limiter, maintenance: own } = await connectLimiter({
    config: loadConfig({ REDIS_URL: redisUrl, KAFKA_BROKERS: 'none', INTERNAL_KEYS: 'none' }),
    logger: silentLogger,
    running: { onStop: (_name, stop) => void stops.push(stop) },
    epoch: { current: 0 },
    fetchSeed: async () => undefined,
  })
  await waitUntil('Redis is connected', () => limiter.connection.isUp)
  const counters = admittedByFallback(own)
  await redis.hset(counters.keys.account, 'g', '1')
  await redis.zadd(counters.leases.key, Date.now() + 60_000, 'last')
  limiter.release(counters, 'last')
  for (const stop of stops.toReversed()) await stop()
  expect(await redis.exists(counters.keys.rings)).toBe(1)
  await waitUntil('the lease is released', async () => (await redis.zcard(counters.leases.key)) === 0)
})
