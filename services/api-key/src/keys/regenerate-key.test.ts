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

const DAY_MS = 24 * 60 * 60 * 1_000
const { clock, deps, versionInRedis, listEvents, close } = await openKeyStore()
afterAll(close)

async function someKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
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

test('a second regeneration ends the oldest secret immediately and gives the next one its grace', async () => {
  const { actor, id, kid: oldest } = await someKey()
  const middle = kidOf((await regenerateKey(deps, actor, id, { grace_seconds: 21_600 })).apiKey)
  const { key, apiKey } = await regenerateKey(deps, actor, id, { grace_seconds: 3_600 })
  expect(key.grace).toMatchObject({ prefix: `tl_live_${middle}` })
  const states = await Promise.all([oldest, middle, kidOf(apiKey)].map((kid) => readKeyRecord(deps, kid)))
  expect(states.map(({ state }) => state)).toEqual(['revoked', 'active', 'active'])
  expect(await Promise.all([oldest, middle].map((kid) => versionInRedis(actor.userId, kid)))).toEqual(['3', '3'])
  expect((await getKey(deps, actor, id)).key).toEqual(key)
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
