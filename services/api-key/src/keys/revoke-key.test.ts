import { accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from './delete-key.ts'
import { testDeps, kidOf, makeKey } from '../../test/deps.fixture.ts'
import { listKeys } from './list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
const gone = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
afterAll(async () => {
  redis.disconnect()
  gone.disconnect()
  await drop()
})

const clock = { nowMs: Date.now() }
const deps = testDeps(db, redis, clock)

async function someKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
}

function versionInRedis(userId: string, kid: string) {
  return redis.hget(accountHashKey(userId), keyVersionField(kid))
}

function listEvents(keyId: string) {
  return db
    .selectFrom('outbox')
    .select(['envelope', 'version_field', 'version'])
    .where('subject', '=', keyId)
    .orderBy('position')
    .execute()
}

test('a revoked key is revoked at the gateway before the response', async () => {
  const { actor, id, kid } = await someKey()
  const { key } = await revokeKey(deps, actor, id)
  expect(key).toMatchObject({ status: 'revoked', is_active: false, revoked_at: new Date(clock.nowMs).toISOString() })
  expect(await versionInRedis(actor.userId, kid)).toBe('2')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'revoked', version: 2 })
  expect((await listKeys(deps, actor)).apiKeys).toEqual([key])
  expect((await listEvents(id)).at(-1)).toMatchObject({
    version_field: keyVersionField(kid),
    version: '2',
    envelope: { type: 'api-key.revoked.v1', data: { key_id: id, kid, version: 2 } },
  })
})

test('a key can be revoked once', async () => {
  const { actor, id, kid } = await someKey()
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => revokeKey(deps, actor, id)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(revokeKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.already_revoked', status: 409 })
  expect((await readKeyRecord(deps, kid)).version).toBe(2)
  expect(await listEvents(id)).toHaveLength(2)
})

test('a revocation after a regeneration ends the working secret', async () => {
  const { actor, id } = await someKey()
  const kid = kidOf((await regenerateKey(deps, actor, id)).apiKey)
  await revokeKey(deps, actor, id)
  expect(await versionInRedis(actor.userId, kid)).toBe('3')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'revoked', version: 3 })
})

test('without Redis every change is made and the response says when it takes effect', async () => {
  const alone = testDeps(db, gone, clock)
  const { actor, id } = await someKey()
  expect((await regenerateKey(alone, actor, id)).effective_within_seconds).toBe(5)
  expect((await revokeKey(alone, actor, id)).effective_within_seconds).toBe(5)
  expect((await deleteKey(alone, actor, id)).effective_within_seconds).toBe(5)
})
