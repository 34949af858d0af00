import { keyVersionField } from '@tapeline/service/account-versions'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { kidOf, makeKey } from '../../test/deps.fixture.ts'
import { openKeyStore } from '../../test/key-store.fixture.ts'
import { deleteKey } from './delete-key.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import { hashSecret } from './secret.ts'
import { updateKey } from './update-key.ts'
import { raiseLastUses } from '../usage/use-queries.ts'

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS
const { db, clock, deps, versionInRedis, listEvents, close } = await openKeyStore()
afterAll(close)

async function someKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
}

async function use(keyId: string, kid: string): Promise<void> {
  const at = new Date(clock.nowMs)
  await db.transaction().execute((trx) => raiseLastUses(trx, [{ keyId, kid, network: '192.0.2.0/24', at }]))
}

const statesOf = async (kids: readonly string[]) => {
  const records = await Promise.all(kids.map((kid) => readKeyRecord(deps, kid)))
  return records.map(({ state }) => state)
}

test('a regenerated key keeps its name and expiry; the old secret is rejected and the new one works', async () => {
  const expiresAt = new Date(clock.nowMs + DAY_MS).toISOString()
  const { actor, id, kid, apiKey } = await someKey({ expires_at: expiresAt })
  const regenerated = await regenerateKey(deps, actor, id)
  const newKid = kidOf(regenerated.apiKey)
  expect(regenerated.apiKey).not.toBe(apiKey)
  expect(regenerated).toMatchObject({ name: 'ci', key: { id, prefix: `tl_live_${newKid}`, expires_at: expiresAt } })
  expect(await versionInRedis(actor.userId, kid)).toBe('2')
  const replaced = { state: 'revoked', version: 2, key_id: id, replaced_at_ms: clock.nowMs }
  expect(await readKeyRecord(deps, kid)).toMatchObject(replaced)
  expect(await readKeyRecord(deps, newKid)).toMatchObject({
    state: 'active',
    version: 2,
    key_id: id,
    replaced_at_ms: null,
    secret_sha256: hashSecret(regenerated.apiKey.split('_')[3] ?? '').toString('hex'),
  })
  expect((await listEvents(id)).at(-1)).toMatchObject({
    version_field: keyVersionField(kid),
    version: '2',
    envelope: { type: 'api-key.regenerated.v1', data: { kid: newKid, replaced_kid: kid, version: 2 } },
  })
})

test('of many concurrent regenerations one secret works', async () => {
  const { actor, id } = await someKey()
  const answers = await Promise.all(Array.from({ length: 8 }, () => regenerateKey(deps, actor, id)))
  const records = await Promise.all(answers.map(({ apiKey }) => readKeyRecord(deps, kidOf(apiKey))))
  expect(records.filter(({ state }) => state === 'active')).toHaveLength(1)
  expect(records.map(({ version }) => version)).toEqual(Array.from({ length: 8 }, () => 9))
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(1)
})

test('a revoked key cannot be regenerated', async () => {
  const { actor, id } = await someKey()
  await revokeKey(deps, actor, id)
  await expect(regenerateKey(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.already_revoked' })
})

test('during its grace the old secret works beside the new one, with all settings of the key', async () => {
  const limits = { networks: ['192.0.2.0/24'], scopes: ['trades:read'], rate_limits: { burstLimit: 2 } } as const
  const { actor, id, kid } = await someKey({ ...limits, environment: 'test' })
  const { key, apiKey } = await regenerateKey(deps, actor, id, { grace_seconds: 900 })
  const until = clock.nowMs + 900_000
  expect(apiKey).toMatch(/^tl_test_/)
  expect(key.grace).toEqual({ prefix: `tl_test_${kid}`, until: new Date(until).toISOString(), last_used_at: null })
  expect((await getKey(deps, actor, id)).key).toEqual(key)
  const common = { state: 'active', environment: 'test', version: 2, key_id: id, ...limits }
  expect(await readKeyRecord(deps, kid)).toMatchObject({ ...common, expires_at_ms: until, replaced_at_ms: until })
  expect(await readKeyRecord(deps, kidOf(apiKey))).toMatchObject({ ...common, expires_at_ms: null })
  expect(await versionInRedis(actor.userId, kid)).toBe('2')
  expect((await listEvents(id)).at(-1)).toMatchObject({
    envelope: { data: { replaced_kid: kid, replaced_until: new Date(until).toISOString() } },
  })
  clock.nowMs = until
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'revoked', replaced_at_ms: until })
  expect((await getKey(deps, actor, id)).key).toMatchObject({ grace: null, status: 'active' })
})

test('a grace never outlasts the key: a later expiry does not extend it', async () => {
  const expiresAt = clock.nowMs + 60_000
  const { actor, id, kid } = await someKey({ expires_at: new Date(expiresAt).toISOString() })
  const { key } = await regenerateKey(deps, actor, id, { grace_seconds: 86_400 })
  expect(key.grace?.until).toBe(new Date(expiresAt).toISOString())
  await updateKey(deps, actor, id, { expires_at: null })
  expect((await readKeyRecord(deps, kid)).expires_at_ms).toBe(expiresAt)
})

test('an earlier expiry of the key ends the grace, also in what is shown', async () => {
  const { actor, id, kid } = await someKey()
  await regenerateKey(deps, actor, id, { grace_seconds: 86_400 })
  const expiresAt = clock.nowMs + 3_600_000
  const { key } = await updateKey(deps, actor, id, { expires_at: new Date(expiresAt).toISOString() })
  expect(key.grace?.until).toBe(key.expires_at)
  expect(await readKeyRecord(deps, kid)).toMatchObject({ expires_at_ms: expiresAt, replaced_at_ms: null })
  clock.nowMs = expiresAt
  expect((await getKey(deps, actor, id)).key).toMatchObject({ grace: null, status: 'expired' })
})

test('a regeneration of a secret in use ends the oldest one immediately and gives the replaced one its grace', async () => {
  const { actor, id, kid: oldest } = await someKey()
  const middle = kidOf((await regenerateKey(deps, actor, id, { grace_seconds: 21_600 })).apiKey)
  await use(id, middle)
  const { key, apiKey } = await regenerateKey(deps, actor, id, { grace_seconds: 3_600 })
  expect(key.grace).toMatchObject({ prefix: `tl_live_${middle}` })
  expect(await statesOf([oldest, middle, kidOf(apiKey)])).toEqual(['revoked', 'active', 'active'])
  expect(await Promise.all([oldest, middle].map((kid) => versionInRedis(actor.userId, kid)))).toEqual(['3', '3'])
  expect((await getKey(deps, actor, id)).key).toEqual(key)
})

test('repeated after a lost response, a regeneration ends the secret that was never received and keeps the one in use', async () => {
  const { actor, id, kid: inUse } = await someKey()
  await use(id, inUse)
  const usedAt = new Date(clock.nowMs).toISOString()
  const lost = kidOf((await regenerateKey(deps, actor, id, { grace_seconds: 3_600 })).apiKey)
  clock.nowMs += HOUR_MS / 2
  const { key, apiKey } = await regenerateKey(deps, actor, id, { grace_seconds: 3_600 })
  const until = clock.nowMs + HOUR_MS
  const grace = { prefix: `tl_live_${inUse}`, until: new Date(until).toISOString(), last_used_at: usedAt }
  expect(key).toMatchObject({ prefix: `tl_live_${kidOf(apiKey)}`, secret_last_used_at: null, grace })
  expect((await getKey(deps, actor, id)).key).toEqual(key)
  const [kept, ended, current] = await Promise.all([inUse, lost, kidOf(apiKey)].map((kid) => readKeyRecord(deps, kid)))
  expect(kept).toMatchObject({ state: 'active', version: 3, expires_at_ms: until, replaced_at_ms: until })
  expect(ended).toMatchObject({ state: 'revoked', version: 3, replaced_at_ms: clock.nowMs })
  expect(current).toMatchObject({ state: 'active', version: 3, expires_at_ms: null })
  expect(await Promise.all([inUse, lost].map((kid) => versionInRedis(actor.userId, kid)))).toEqual(['3', '3'])
  const events = (await listEvents(id)).slice(-2)
  expect(events.map(({ version_field }) => version_field)).toEqual([keyVersionField(lost), keyVersionField(inUse)])
  const fact = { kid: kidOf(apiKey), replaced_kid: lost, kept_kid: inUse, kept_until: grace.until }
  expect(events[0]).toMatchObject({ envelope: { data: { ...fact, graced_kids: [inUse] } } })
  expect(events[0]?.envelope).not.toHaveProperty('data.replaced_until')
  clock.nowMs = until
  expect(await statesOf([inUse, kidOf(apiKey)])).toEqual(['revoked', 'active'])
})

test('a shorter grace of the repeated regeneration does not shorten the one that was granted', async () => {
  const { actor, id, kid: inUse } = await someKey()
  const { key: first } = await regenerateKey(deps, actor, id, { grace_seconds: 86_400 })
  const { key } = await regenerateKey(deps, actor, id, { grace_seconds: 60 })
  expect(key.grace).toEqual(first.grace)
  expect((await readKeyRecord(deps, inUse)).expires_at_ms).toBe(clock.nowMs + DAY_MS)
})

test('without a grace all older secrets end immediately, whether or not the current one was used', async () => {
  const { actor, id, kid: oldest } = await someKey()
  const middle = kidOf((await regenerateKey(deps, actor, id, { grace_seconds: 86_400 })).apiKey)
  const { key, apiKey } = await regenerateKey(deps, actor, id)
  expect(key.grace).toBeNull()
  expect(await statesOf([oldest, middle, kidOf(apiKey)])).toEqual(['revoked', 'revoked', 'active'])
})

test('of many concurrent regenerations with a grace, the first secret and one new one work', async () => {
  const { actor, id, kid: inUse } = await someKey()
  const call = () => regenerateKey(deps, actor, id, { grace_seconds: 3_600 })
  const kids = (await Promise.all(Array.from({ length: 4 }, call))).map(({ apiKey }) => kidOf(apiKey))
  expect(await statesOf([inUse])).toEqual(['active'])
  expect((await statesOf(kids)).filter((state) => state === 'active')).toHaveLength(1)
})

test.each([
  ['revoked', revokeKey],
  ['deleted', deleteKey],
] as const)('a key that is %s during a grace ends with both secrets', async (state, end) => {
  const { actor, id, kid } = await someKey()
  const successor = kidOf((await regenerateKey(deps, actor, id, { grace_seconds: 3_600 })).apiKey)
  await end(deps, actor, id)
  for (const each of [kid, successor]) {
    expect(await versionInRedis(actor.userId, each)).toBe('3')
    expect(await readKeyRecord(deps, each)).toMatchObject({ state, version: 3 })
  }
  expect((await listEvents(id)).at(-1)).toMatchObject({ envelope: { data: { kid: successor, graced_kids: [kid] } } })
})
