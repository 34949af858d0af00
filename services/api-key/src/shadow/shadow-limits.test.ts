import { accountHashKey, keyShadowFields, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { kidOf, makeKey, testDeps } from '../../test/deps.fixture.ts'
import { getKey } from '../keys/get-key.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import { regenerateKey } from '../keys/regenerate-key.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import { updateKey } from '../keys/update-key.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { proposeLimits } from './propose-limits.ts'
import { applyProposal } from './apply-proposal.ts'
import { withdrawProposal } from './withdraw-proposal.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const deps = testDeps(db, redis)
const CAPS = { requestsPerMinute: 10, concurrentRequests: 2 }

async function someKey(input = {}) {
  const actor = someUser()
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
}

async function lastEvent(keyId: string) {
  const events = await db
    .selectFrom('outbox')
    .select('envelope')
    .where('subject', '=', keyId)
    .orderBy('position')
    .execute()
  return { count: events.length, envelope: events.at(-1)?.envelope }
}

test('proposed limits reach the gateway before the response, beside those in force, and the trail', async () => {
  const own = { requestsPerMinute: 100 }
  const { actor, id, kid } = await someKey({ rate_limits: own })
  const { key } = await proposeLimits(deps, actor, id, { rate_limits: CAPS })
  const shadow_limits = { id: expect.any(String), since: expect.any(String), rate_limits: CAPS }
  expect(key).toMatchObject({ rate_limits: own, shadow_limits })
  expect((await getKey(deps, actor, id)).key).toEqual(key)
  expect(await redis.hget(accountHashKey(actor.userId), keyVersionField(kid))).toBe('2')
  const recorded = { version: 2, rate_limits: own, shadow_limits: { id: key.shadow_limits?.id, rate_limits: CAPS } }
  expect(await readKeyRecord(deps, kid)).toMatchObject(recorded)
  expect((await lastEvent(id)).envelope).toMatchObject({
    type: 'api-key.updated.v1',
    actorid: actor.userId,
    data: { key_id: id, before: { shadow_limits: null }, after: { shadow_limits: key.shadow_limits } },
  })
})

test('a key without a proposal is as before: to its owner and to the gateway', async () => {
  const { actor, id, kid } = await someKey()
  expect((await getKey(deps, actor, id)).key).not.toHaveProperty('shadow_limits')
  expect(await readKeyRecord(deps, kid)).not.toHaveProperty('shadow_limits')
})

test('the same limits again are the same proposal, others are another', async () => {
  const { actor, id } = await someKey()
  const first = await proposeLimits(deps, actor, id, { rate_limits: CAPS })
  const again = await proposeLimits(deps, actor, id, { rate_limits: { ...CAPS } })
  expect(again.key).toEqual(first.key)
  expect((await lastEvent(id)).count).toBe(2)
  const other = await proposeLimits(deps, actor, id, { rate_limits: { requestsPerMinute: 11 } })
  expect(other.key.shadow_limits?.rate_limits).toEqual({ requestsPerMinute: 11 })
  expect(other.key.shadow_limits?.id).not.toBe(first.key.shadow_limits?.id)
})

test('a proposal that is withdrawn leaves the limits in force', async () => {
  const own = { requestsPerMinute: 100 }
  const { actor, id, kid } = await someKey({ rate_limits: own })
  await proposeLimits(deps, actor, id, { rate_limits: CAPS })
  const fields = keyShadowFields(id)
  for (const field of fields) await redis.hset(accountHashKey(actor.userId), field, 'windows')
  const { key } = await withdrawProposal(deps, actor, id)
  expect(key).toMatchObject({ rate_limits: own })
  expect(key).not.toHaveProperty('shadow_limits')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ version: 3, rate_limits: own })
  expect(await redis.hmget(accountHashKey(actor.userId), ...fields)).toEqual([null, null])
  const none = { code: 'api_key.no_shadow_limits', status: 404 }
  await expect(withdrawProposal(deps, actor, id)).rejects.toMatchObject(none)
})

test('a proposal that is applied replaces the limits in force, once, and only if it is the one that was seen', async () => {
  const { actor, id, kid } = await someKey({ rate_limits: { requestsPerDay: 100 } })
  const { key: seen } = await proposeLimits(deps, actor, id, { rate_limits: CAPS })
  const proposal = seen.shadow_limits?.id ?? ''
  const other = applyProposal(deps, actor, id, { proposal: crypto.randomUUID() })
  await expect(other).rejects.toMatchObject({ code: 'api_key.shadow_changed', status: 409 })
  const { key } = await applyProposal(deps, actor, id, { proposal })
  expect(key.rate_limits).toEqual(CAPS)
  const record = await readKeyRecord(deps, kid)
  expect([record.version, record.rate_limits, record.shadow_limits]).toEqual([3, CAPS, undefined])
  expect((await lastEvent(id)).envelope).toMatchObject({
    data: {
      before: { rate_limits: { requestsPerDay: 100 }, shadow_limits: { id: proposal } },
      after: { rate_limits: CAPS, shadow_limits: null },
    },
  })
  const again = applyProposal(deps, actor, id, { proposal })
  await expect(again).rejects.toMatchObject({ code: 'api_key.no_shadow_limits' })
})

test('a proposal survives other changes of its key, and a new secret', async () => {
  const { actor, id } = await someKey()
  const { key } = await proposeLimits(deps, actor, id, { rate_limits: CAPS })
  await updateKey(deps, actor, id, { name: 'other', rate_limits: { requestsPerDay: 5 } })
  const { apiKey } = await regenerateKey(deps, actor, id)
  const { shadow_limits: shadow } = await readKeyRecord(deps, kidOf(apiKey))
  expect(shadow?.id).toBe(key.shadow_limits?.id)
})

test('only the owner proposes, withdraws and applies, and not for a revoked key', async () => {
  const { actor, id } = await someKey()
  const { key } = await proposeLimits(deps, actor, id, { rate_limits: CAPS })
  const applied = { proposal: key.shadow_limits?.id ?? '' }
  const each = (by: typeof actor) => [
    () => proposeLimits(deps, by, id, { rate_limits: { requestsPerDay: 1 } }),
    () => withdrawProposal(deps, by, id),
    () => applyProposal(deps, by, id, applied),
  ]
  for (const change of each(someUser())) await expect(change()).rejects.toMatchObject({ code: 'api_key.not_found' })
  expect((await getKey(deps, actor, id)).key).toEqual(key)
  await revokeKey(deps, actor, id)
  for (const change of each(actor)) await expect(change()).rejects.toMatchObject({ code: 'api_key.already_revoked' })
})
