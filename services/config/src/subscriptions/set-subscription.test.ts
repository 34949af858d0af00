import { accountHashKey } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { execFile } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { testDeps } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { readSubscription } from './read-subscription.ts'
import { seedSubscription } from './seed-subscription.ts'
import { setSubscription } from './set-subscription.ts'
import type { Tables } from '../tables.ts'

const { db, url, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.now() }
const deps = testDeps(db, redis, clock)
const actor = { kind: 'service', service: 'config' } as const
const LIMITS = {
  requestsPerMinute: 60,
  requestsPerHour: 1_000_000,
  requestsPerDay: 1_000_000,
  requestsPerMonth: 1_000_000,
  burstLimit: 1_000_000,
  concurrentRequests: 1_000,
}

function versionInRedis(accountId: string) {
  return redis.hget(accountHashKey(accountId), 's')
}

function listEvents(accountId: string) {
  return db.selectFrom('outbox').selectAll().where('subject', '=', accountId).orderBy('position').execute()
}

test('an account starts as free on the day of its sign-up, without depending on an event', async () => {
  const account_id = randomUUIDv7()
  const signedUpMs = Number.parseInt(account_id.replaceAll('-', '').slice(0, 12), 16)
  clock.nowMs = signedUpMs + 90_000_000
  const first = await readSubscription(deps, account_id)
  expect(first).toEqual({
    account_id,
    version: 1,
    tier: 'free',
    anchor: new Date(signedUpMs).toISOString(),
    trial_ends_at: null,
    tier_after_trial: null,
    rate_limits: null,
    time_zone: 'UTC',
  })
  clock.nowMs += 90_000_000
  expect(await readSubscription(deps, account_id)).toEqual(first)
})

test('an id without a time, or with a future one, starts now', async () => {
  const now = new Date(clock.nowMs).toISOString()
  expect((await readSubscription(deps, crypto.randomUUID())).anchor).toBe(now)
  expect((await readSubscription(deps, 'ffffffff-ffff-7000-8000-000000000000')).anchor).toBe(now)
})

test('concurrent first reads create one subscription', async () => {
  const accountId = randomUUIDv7()
  const reads = await Promise.all(Array.from({ length: 4 }, () => readSubscription(deps, accountId)))
  expect(new Set(reads.map((record) => JSON.stringify(record))).size).toBe(1)
})

test('a new tier reaches the gateways before the response, with its event; anchor and limits stay', async () => {
  const account_id = randomUUIDv7()
  const before = await readSubscription(deps, account_id)
  await setSubscription(deps, actor, { account_id, rate_limits: LIMITS })
  const after = await setSubscription(deps, actor, { account_id, tier: 'pro' })
  expect(after).toEqual({ ...before, tier: 'pro', rate_limits: LIMITS, version: 3 })
  expect(await readSubscription(deps, account_id)).toEqual(after)
  expect(await versionInRedis(account_id)).toBe('3')
  expect((await listEvents(account_id)).at(-1)).toMatchObject({
    topic: 'config',
    version_account: account_id,
    version_field: 's',
    version: '3',
    envelope: {
      type: 'config.subscription-changed.v3',
      account: account_id,
      actorkind: 'service',
      actorid: 'config',
      data: {
        account_id,
        before: { tier: 'free', rate_limits: LIMITS },
        after: { tier: 'pro', rate_limits: LIMITS },
        version: 3,
      },
    },
  })
})

test('null removes custom limits', async () => {
  const account_id = randomUUIDv7()
  await setSubscription(deps, actor, { account_id, tier: 'basic', rate_limits: LIMITS })
  const after = await setSubscription(deps, actor, { account_id, rate_limits: null })
  expect(after).toMatchObject({ tier: 'basic', rate_limits: null, version: 3 })
})

test('a lower tier removes custom limits, unless the change sets them', async () => {
  const account_id = randomUUIDv7()
  await setSubscription(deps, actor, { account_id, tier: 'pro', rate_limits: LIMITS })
  expect(await setSubscription(deps, actor, { account_id, tier: 'pro' })).toMatchObject({ rate_limits: LIMITS })
  const kept = await setSubscription(deps, actor, { account_id, tier: 'basic', rate_limits: LIMITS })
  expect(kept).toMatchObject({ tier: 'basic', rate_limits: LIMITS })
  const lowered = await setSubscription(deps, actor, { account_id, tier: 'free', reason: 'an invoice was not paid' })
  expect(lowered).toMatchObject({ tier: 'free', rate_limits: null })
  expect((await listEvents(account_id)).at(-1)).toMatchObject({
    envelope: {
      data: { before: { tier: 'basic', rate_limits: LIMITS }, after: { tier: 'free', rate_limits: null } },
    },
  })
})

test('an update without changes adds neither a version nor an event', async () => {
  const account_id = randomUUIDv7()
  await setSubscription(deps, actor, { account_id, tier: 'basic', rate_limits: LIMITS })
  expect(await setSubscription(deps, actor, { account_id, tier: 'basic', rate_limits: { ...LIMITS } })).toMatchObject({
    version: 2,
  })
  expect(await listEvents(account_id)).toHaveLength(1)
})

test('concurrent changes each get a version', async () => {
  const account_id = randomUUIDv7()
  const limits = [1, 2, 3, 4].map((number) => ({ ...LIMITS, requestsPerMinute: number }))
  await Promise.all(limits.map((rate_limits) => setSubscription(deps, actor, { account_id, rate_limits })))
  expect((await readSubscription(deps, account_id)).version).toBe(5)
  expect(await versionInRedis(account_id)).toBe('5')
})

test('without Redis the change is made and the response says when it takes effect', async () => {
  const unreachable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  const account_id = randomUUIDv7()
  const changed = await setSubscription(testDeps(db, unreachable, clock), actor, { account_id, tier: 'pro' })
  unreachable.disconnect()
  expect(changed).toMatchObject({ tier: 'pro', effective_within_seconds: 5 })
})

test("a seed sets a tier once and does not revert an operator's change", async () => {
  const account_id = randomUUIDv7()
  await seedSubscription(deps, actor, { account_id, tier: 'pro' })
  await seedSubscription(deps, actor, { account_id, tier: 'pro' })
  expect(await readSubscription(deps, account_id)).toMatchObject({ tier: 'pro', version: 2 })
  await setSubscription(deps, actor, { account_id, tier: 'free' })
  await seedSubscription(deps, actor, { account_id, tier: 'pro' })
  expect((await readSubscription(deps, account_id)).tier).toBe('free')
})

test('an operator can show and change a tier and limits from the command line', async () => {
  const accountId = randomUUIDv7()
  const admin = (...args: string[]) =>
    promisify(execFile)(process.execPath, [`${import.meta.dirname}/../admin.ts`, ...args], {
      env: { ...process.env, DATABASE_URL: url },
    })
  const { stdout } = await admin('set-tier', accountId, 'basic')
  expect(JSON.parse(stdout)).toMatchObject({ account_id: accountId, tier: 'basic', version: 2 })
  await admin('set-limits', accountId, JSON.stringify(LIMITS))
  expect(await readSubscription(deps, accountId)).toMatchObject({ tier: 'basic', rate_limits: LIMITS })
  expect(await versionInRedis(accountId)).toBe('3')
  expect(JSON.parse((await admin('show', accountId)).stdout)).toMatchObject({ tier: 'basic', rate_limits: LIMITS })
  expect((await listEvents(accountId)).at(-1)).toMatchObject({ envelope: { actorid: 'operator' } })
  await expect(admin('set-tier', accountId, 'gold')).rejects.toMatchObject({
    code: 1,
    stderr: 'The tier is one of free, basic, pro.\n',
  })
})
