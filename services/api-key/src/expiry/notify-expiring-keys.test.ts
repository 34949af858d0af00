import { silentLogger } from '@tapeline/testing/silent-logger'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps, makeKey } from '../../test/deps.fixture.ts'
import { dueNotice } from '../keys/expiry-notices.ts'
import { getKey } from '../keys/get-key.ts'
import { migrations } from '../migrations/all.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import type { Tables } from '../tables.ts'
import { notifyExpiringKeys } from './notify-expiring-keys.ts'
import { updateKey } from '../keys/update-key.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS
const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') }
const deps = testDeps(db, redis, clock)
const inDays = (days: number) => new Date(clock.nowMs + days * DAY_MS).toISOString()

async function someKey(expiresInDays: number) {
  const actor = someUser()
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', expires_at: inDays(expiresInDays) })) }
}

type ExpiryEvent = { type: string; data: { days_left?: number } }
async function eventsOf(keyId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('envelope')
    .where('subject', '=', keyId)
    .orderBy('position')
    .execute()
  return rows
    .map(({ envelope }) => envelope as ExpiryEvent)
    .filter(({ type }) => type.startsWith('api-key.expir'))
    .map(({ type, data }) => `${type} ${data.days_left ?? ''}`.trim())
}

const WEEK = 'api-key.expiring.v1 7'
const DAY = 'api-key.expiring.v1 1'
const EXPIRED = 'api-key.expired.v1'

test("events are published 7 days and 1 day before a key's expiry and after it, once each", async () => {
  const { actor, id } = await someKey(30)
  const steps: [number, string[]][] = [
    [23 * DAY_MS - 1, []],
    [1, [WEEK]],
    [6 * DAY_MS - 1, [WEEK]],
    [1, [WEEK, DAY]],
    [DAY_MS - 1, [WEEK, DAY]],
    [1, [WEEK, DAY, EXPIRED]],
    [400 * DAY_MS, [WEEK, DAY, EXPIRED]],
  ]
  for (const [stepMs, expected] of steps) {
    clock.nowMs += stepMs
    await Promise.all([notifyExpiringKeys(deps), notifyExpiringKeys(deps)])
    await notifyExpiringKeys(deps)
    expect(await eventsOf(id)).toEqual(expected)
  }
  const { key } = await getKey(deps, actor, id)
  expect(key).toMatchObject({ status: 'expired', is_active: false })
})

test.each([
  [7, [DAY, EXPIRED]],
  [1, [EXPIRED]],
  [1 / 24, [EXPIRED]],
])('an expiry set %f days ahead skips the notices whose time has passed', async (days, expected) => {
  const { id } = await someKey(days)
  for (let hour = 0; hour <= days * 24; hour += 6) {
    await notifyExpiringKeys(deps)
    clock.nowMs += 6 * HOUR_MS
  }
  await notifyExpiringKeys(deps)
  expect(await eventsOf(id)).toEqual(expected)
})

test('a notice that was missed while no job ran is not sent late', async () => {
  const { id } = await someKey(30)
  clock.nowMs += 60 * DAY_MS
  await notifyExpiringKeys(deps)
  expect(await eventsOf(id)).toEqual([EXPIRED])
})

test('a later expiry is announced again, a removed one is not', async () => {
  const { actor, id } = await someKey(10)
  clock.nowMs += 4 * DAY_MS
  await notifyExpiringKeys(deps)
  await updateKey(deps, actor, id, { expires_at: inDays(20) })
  clock.nowMs += 14 * DAY_MS
  await notifyExpiringKeys(deps)
  await updateKey(deps, actor, id, { expires_at: null })
  clock.nowMs += 14 * DAY_MS
  await notifyExpiringKeys(deps)
  expect(await eventsOf(id)).toEqual([WEEK, WEEK])
})

test('a revoked key is not announced', async () => {
  const { actor, id } = await someKey(10)
  await revokeKey(deps, actor, id)
  clock.nowMs += 20 * DAY_MS
  await notifyExpiringKeys(deps)
  expect(await eventsOf(id)).toEqual([])
})

test('more keys than fit in a batch are all announced', async () => {
  const { id } = await someKey(30)
  const { kid: _, ...row } = {
    ...(await db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow()),
    kid: '',
  }
  const ids = Array.from({ length: 250 }, () => deps.newId())
  await db
    .insertInto('api_key')
    .values(ids.map((each) => ({ ...row, owner_stopped_at: undefined, id: each })))
    .execute()
  const secrets = ids.map((each, n) => ({
    kid: `batch${String(n).padStart(7, '0')}`,
    key_id: each,
    secret_sha256: Buffer.alloc(32),
    created_at: new Date(clock.nowMs),
    ends_at: null,
  }))
  await db.insertInto('api_key_secret').values(secrets).execute()
  clock.nowMs += 40 * DAY_MS
  expect(await notifyExpiringKeys(deps)).toBe(251)
  expect(await notifyExpiringKeys(deps)).toBe(0)
})

test('the due notice depends only on the time', () => {
  const now = new Date(0)
  const due = [8, 7, 1.5, 1, 0.01, 0, -3].map((days) => dueNotice(new Date(days * DAY_MS), now))
  expect(due).toEqual([0, 1, 1, 2, 2, 3, 3])
  expect(dueNotice(null, now)).toBe(0)
})
