import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { compilePlan } from './account-plan.ts'
import { KnownAccount } from './known-account.ts'
import { KnownRecord } from './known-record.ts'
import { scripts } from './limiter-scripts.ts'
import { storeReady } from './limiter-store.ts'
import { LimiterUpkeep } from './limiter-upkeep.ts'
import { openLimiterStore } from './open-limiter-store.ts'
import { tiersUnderTest } from './tiers-under-test.ts'

const { redisUrl } = testServers()
const redis = connectRedis({ url: redisUrl, logger: silentLogger, commandTimeoutMs: 5_000 })
await redisReady(redis, 60_000)
const store = await openLimiterStore(redisUrl, silentLogger)
await storeReady(store, 60_000)
await store.loadScripts([scripts.merge])
const upkeep = new LimiterUpkeep({
  store,
  owners: { askSeed: async () => undefined },
  logger: silentLogger,
  processTag: crypto.randomUUID(),
  gatewaysExpected: 1,
  isUp: () => true,
  wasAwayMs: () => 0,
})
afterAll(() => {
  upkeep.stop()
  redis.disconnect()
  store.disconnect()
})

const nobody = { ask: async () => undefined, epoch: { current: 1 } }
const subscription = { version: 1, tier: 'pro', anchor: '2026-01-01T00:00:00Z', trial_ends_at: null } as const
const rate_limits = tiersUnderTest.pro.rateLimits

/** An account of which the share has admitted one request. */
function sharing(): KnownAccount {
  const nowMs = Date.now()
  const id = crypto.randomUUID()
  const account = new KnownAccount(
    id,
    new KnownRecord<AccountRecord>(nobody),
    new KnownRecord<SubscriptionRecord>(nobody),
  )
  const plan = compilePlan({ account_id: id, ...subscription, rate_limits, time_zone: 'UTC' }, tiersUnderTest, nowMs)
  upkeep.shareOf(account).decide({ nowMs, plan, kid: 'x', openHere: 0 })
  return account
}

test('accounts whose share cannot be merged, however many, keep no other from it', async () => {
  const idle = Array.from({ length: 60 }, sharing)
  // Whose counters are not even a hash: asking fails.
  const broken = sharing()
  await redis.set(broken.keys.account, 'no hash')
  const known = sharing()
  await redis.hset(known.keys.account, 'g', '1')
  await waitUntil('the known one is merged', () => known.share?.isEmpty() === true, 60_000)
  expect(await redis.exists(known.keys.rings)).toBe(1)
  expect([...idle, broken].every(({ share }) => share?.isEmpty() === false)).toBe(true)
  await redis.del(broken.keys.account)
  await Promise.all([...idle, broken].map(({ keys }) => redis.hset(keys.account, 'g', '1')))
  await waitUntil('all are merged', () => [...idle, broken].every(({ share }) => share?.isEmpty() === true), 60_000)
})
