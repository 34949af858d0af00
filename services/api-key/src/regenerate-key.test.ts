import { accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { depsUnderTest, kidOf, makeKey } from './deps-under-test.ts'
import { listKeys } from './list-keys.ts'
import { migrations } from './migrations/all.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import { hashSecret } from './secret.ts'
import type { Tables } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 2_000 })
expect(await redisReady(redis, 5_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.now() }
const deps = depsUnderTest(db, redis, clock)

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

test('a regenerated key keeps its name and expiry; the old secret is dead and the new one works', async () => {
  const expiresAt = new Date(clock.nowMs + DAY_MS).toISOString()
  const { actor, id, kid, apiKey } = await someKey({ expires_at: expiresAt })
  const regenerated = await regenerateKey(deps, actor, id)
  const newKid = kidOf(regenerated.apiKey)
  expect(regenerated.apiKey).not.toBe(apiKey)
  expect(regenerated).toMatchObject({ name: 'ci', key: { id, prefix: `tl_live_${newKid}`, expires_at: expiresAt } })
  expect(await versionInRedis(actor.userId, kid)).toBe('2')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'revoked', version: 2, key_id: id })
  expect(await readKeyRecord(deps, newKid)).toMatchObject({
    state: 'active',
    version: 2,
    key_id: id,
    secret_sha256: hashSecret(regenerated.apiKey.split('_')[3] ?? '').toString('hex'),
  })
  expect((await listEvents(id)).at(-1)).toMatchObject({
    version_field: keyVersionField(kid),
    version: '2',
    envelope: { type: 'api-key.regenerated.v1', data: { kid: newKid, replaced_kid: kid, version: 2 } },
  })
})

test('of many regenerations at once one secret works', async () => {
  const { actor, id } = await someKey()
  const answers = await Promise.all(Array.from({ length: 8 }, () => regenerateKey(deps, actor, id)))
  const records = await Promise.all(answers.map(({ apiKey }) => readKeyRecord(deps, kidOf(apiKey))))
  expect(records.filter(({ state }) => state === 'active')).toHaveLength(1)
  expect(records.map(({ version }) => version)).toEqual(Array.from({ length: 8 }, () => 9))
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(1)
})

test('a revoked key is not brought back by a new secret', async () => {
  const { actor, id } = await someKey()
  await revokeKey(deps, actor, id)
  await expect(regenerateKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.already_revoked' })
})
