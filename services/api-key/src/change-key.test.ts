import { accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { createKey } from './create-key.ts'
import { deleteKey } from './delete-key.ts'
import { depsUnderTest } from './deps-under-test.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { migrations } from './migrations/all.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import { hashSecret } from './secret.ts'
import type { Tables } from './tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 2_000 })
expect(await redisReady(redis, 5_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const DAY_MS = 24 * 60 * 60 * 1_000
const clock = { nowMs: Date.now() }
const deps = depsUnderTest(db, redis, clock)
const gone = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
afterAll(() => gone.disconnect())

async function someKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  const created = await createKey(deps, actor, { name: 'ci', ...input })
  return { actor, id: created.key.id, kid: kidOf(created.apiKey), apiKey: created.apiKey }
}

function kidOf(apiKey: string): string {
  return apiKey.split('_')[2] ?? ''
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

const verbs = { getKey, revokeKey, deleteKey, regenerateKey }

test.each(Object.entries(verbs))("%s: another user's key looks like a key that does not exist", async (_name, verb) => {
  const { id, actor } = await someKey()
  const failures = await Promise.all(
    [id, crypto.randomUUID()].map((keyId) =>
      verb(deps, someUser({ role: 'admin' }), keyId).catch((error: unknown) => error),
    ),
  )
  expect(failures[0]).toMatchObject({ code: 'api_key.not_found', status: 404 })
  expect(failures[1]).toEqual(failures[0])
  expect((await getKey(deps, actor, id)).key.is_active).toBe(true)
  expect(await listEvents(id)).toHaveLength(1)
})

test('a list is newest first, masked, and only the caller’s', async () => {
  const { actor, id } = await someKey({ name: 'old' })
  clock.nowMs += 1_000
  const { key: newer } = await createKey(deps, actor, { name: 'new' })
  await someKey()
  const { apiKeys } = await listKeys(deps, actor)
  expect(apiKeys.map((key) => key.id)).toEqual([newer.id, id])
  expect(apiKeys[0]).toEqual(newer)
  expect(apiKeys[0]).toMatchObject({ api_key: '•'.repeat(16), last_used_at: null })
})

test('a key past its expiry reads as expired', async () => {
  const { actor, id, kid } = await someKey({ expires_at: new Date(clock.nowMs + DAY_MS).toISOString() })
  expect((await getKey(deps, actor, id)).key.status).toBe('active')
  expect((await readKeyRecord(deps, kid)).expires_at_ms).toBe(clock.nowMs + DAY_MS)
  clock.nowMs += DAY_MS
  expect((await getKey(deps, actor, id)).key).toMatchObject({ status: 'expired', is_active: false })
})

test('a revoked key is revoked for the gateway before the caller is answered', async () => {
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

test('a key is revoked once', async () => {
  const { actor, id, kid } = await someKey()
  const tries = await Promise.allSettled([revokeKey(deps, actor, id), revokeKey(deps, actor, id)])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(revokeKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.already_revoked', status: 409 })
  expect((await readKeyRecord(deps, kid)).version).toBe(2)
  expect(await listEvents(id)).toHaveLength(2)
})

test('a deleted key is gone for its owner and deleted for the gateway, for a month', async () => {
  const { actor, id, kid } = await someKey()
  expect(await deleteKey(deps, actor, id)).toEqual({ id })
  expect(await versionInRedis(actor.userId, kid)).toBe('2')
  await expect(getKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.not_found' })
  await expect(deleteKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.not_found' })
  await expect(revokeKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.not_found' })
  expect((await listKeys(deps, actor)).apiKeys).toEqual([])
  expect((await listEvents(id)).at(-1)).toMatchObject({ envelope: { type: 'api-key.deleted.v1' }, version: '2' })
  clock.nowMs += 30 * DAY_MS
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'deleted', version: 2 })
  clock.nowMs += 2 * DAY_MS
  await expect(readKeyRecord(deps, kid)).rejects.toMatchObject({ status: 404 })
})

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

test('two regenerations at once leave one secret that works', async () => {
  const { actor, id } = await someKey()
  const [one, two] = await Promise.all([regenerateKey(deps, actor, id), regenerateKey(deps, actor, id)])
  const records = await Promise.all([one, two].map(({ apiKey }) => readKeyRecord(deps, kidOf(apiKey))))
  expect(records.map(({ state }) => state).toSorted()).toEqual(['active', 'revoked'])
  expect(records.map(({ version }) => version)).toEqual([3, 3])
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(1)
})

test('a revoked key is not brought back by a new secret', async () => {
  const { actor, id } = await someKey()
  await revokeKey(deps, actor, id)
  await expect(regenerateKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.already_revoked' })
})

test('a revocation after a regeneration reaches the secret that works', async () => {
  const { actor, id } = await someKey()
  const kid = kidOf((await regenerateKey(deps, actor, id)).apiKey)
  await revokeKey(deps, actor, id)
  expect(await versionInRedis(actor.userId, kid)).toBe('3')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'revoked', version: 3 })
})

test('without Redis every change is made all the same and the answer says when it holds', async () => {
  const alone = depsUnderTest(db, gone, clock)
  const { actor, id } = await someKey()
  expect((await regenerateKey(alone, actor, id)).effective_within_seconds).toBe(5)
  expect((await revokeKey(alone, actor, id)).effective_within_seconds).toBe(5)
  expect((await deleteKey(alone, actor, id)).effective_within_seconds).toBe(5)
})

test('a kid that nobody has is not found', async () => {
  await expect(readKeyRecord(deps, 'x'.repeat(12))).rejects.toMatchObject({ code: 'api_key.not_found', status: 404 })
})
