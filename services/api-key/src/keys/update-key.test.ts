import type { UpdateKey } from '@tapeline/contracts/api-key/http'
import { keyVersionField } from '@tapeline/service/account-versions'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from './delete-key.ts'
import { kidOf, makeKey } from '../../test/deps.fixture.ts'
import { openKeyStore } from '../../test/key-store.fixture.ts'
import { getKey } from './get-key.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import { updateKey } from './update-key.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const { clock, deps, depsWithoutRedis, versionInRedis, listEvents, close } = await openKeyStore()
afterAll(close)

async function someKey(input = {}) {
  const actor = someUser()
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
}

test.each<[UpdateKey, object]>([
  [{ is_active: false }, { state: 'inactive' }],
  [{ scopes: ['trades:read'] }, { scopes: ['trades:read'] }],
  [{ networks: ['10.1.2.3', '10.1.2.3/32', '2001:DB8::/32'] }, { networks: ['10.1.2.3/32', '2001:db8::/32'] }],
  [{ rate_limits: { requestsPerDay: 1_000_000_000 } }, { rate_limits: { requestsPerDay: 1_000_000_000 } }],
  [{ expires_at: '2100-01-01T00:00:00Z' }, { expires_at_ms: Date.parse('2100-01-01T00:00:00Z') }],
])('a change %j reaches the gateway before the response', async (input, record) => {
  const { actor, id, kid } = await someKey()
  const { effective_within_seconds } = await updateKey(deps, actor, id, input)
  expect(effective_within_seconds).toBeUndefined()
  expect(await versionInRedis(actor.userId, kid)).toBe('2')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ version: 2, ...record })
})

test('changes to fields that gateways do not use leave the version unchanged, but are published', async () => {
  const { actor, id, kid } = await someKey({ description: 'old' })
  const { key } = await updateKey(deps, actor, id, { name: ' new ', description: null })
  expect(key).toMatchObject({ name: 'new', description: null })
  expect(await versionInRedis(actor.userId, kid)).toBe('1')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ version: 1 })
  const before = { name: 'ci', description: 'old' }
  const data = { key_id: id, kid, version: 1, before, after: { name: 'new', description: null } }
  const event = (await listEvents(id)).at(-1)
  expect(event).toMatchObject({ version: null, envelope: { type: 'api-key.updated.v1', actorid: actor.userId, data } })
})

test('the event contains only the changed fields, before and after', async () => {
  const { actor, id } = await someKey({ networks: ['10.0.0.0/8'], scopes: ['trades:read'] })
  const changes = { is_active: false, networks: [], scopes: ['trades:read' as const], name: 'ci', rate_limits: {} }
  await updateKey(deps, actor, id, { ...changes, expires_at: '2100-01-01T00:00:00Z' })
  expect((await listEvents(id)).at(-1)?.envelope).toMatchObject({
    data: {
      version: 2,
      before: { is_active: true, networks: ['10.0.0.0/8'], expires_at: null },
      after: { is_active: false, networks: [], expires_at: '2100-01-01T00:00:00.000Z' },
    },
  })
  const { envelope } = (await listEvents(id)).at(-1) ?? {}
  expect(Object.keys((envelope as { data: { before: object } }).data.before)).toHaveLength(3)
})

test('an update without changes publishes no event and no new version', async () => {
  const { actor, id, kid } = await someKey({ networks: ['10.0.0.0/8'], expires_at: '2100-01-01' })
  const { key } = await getKey(deps, actor, id)
  for (const same of [
    {},
    { expires_at: '2100-01-01', networks: ['10.0.0.0/8 '], is_active: true, rate_limits: null },
  ]) {
    expect((await updateKey(deps, actor, id, same)).key).toEqual(key)
  }
  expect(await readKeyRecord(deps, kid)).toMatchObject({ version: 1 })
  expect(await listEvents(id)).toHaveLength(1)
})

test('an inactive key works again once it is re-activated', async () => {
  const { actor, id, kid } = await someKey()
  expect((await updateKey(deps, actor, id, { is_active: false })).key).toMatchObject({ status: 'inactive' })
  expect((await updateKey(deps, actor, id, { is_active: true })).key).toMatchObject({ status: 'active' })
  expect(await versionInRedis(actor.userId, kid)).toBe('3')
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'active', version: 3 })
})

test('a later expiry re-enables an expired key, and other changes keep the past expiry', async () => {
  const expires_at = new Date(clock.nowMs + DAY_MS).toISOString()
  const { actor, id } = await someKey({ expires_at })
  clock.nowMs += DAY_MS
  expect((await updateKey(deps, actor, id, { name: 'late', expires_at })).key).toMatchObject({ status: 'expired' })
  const past = { expires_at: new Date(clock.nowMs - 1).toISOString() }
  await expect(updateKey(deps, actor, id, past)).rejects.toMatchObject({ code: 'api_key.expiry_in_past' })
  const later = { expires_at: new Date(clock.nowMs + 1_000).toISOString() }
  expect((await updateKey(deps, actor, id, later)).key).toMatchObject({ status: 'active', ...later })
})

test('a revoked key cannot be changed, and a deleted one does not exist', async () => {
  const { actor, id, kid } = await someKey()
  await revokeKey(deps, actor, id)
  const change = updateKey(deps, actor, id, { is_active: true })
  await expect(change).rejects.toMatchObject({ code: 'api_key.already_revoked', status: 409 })
  expect(await readKeyRecord(deps, kid)).toMatchObject({ state: 'revoked', version: 2 })
  await deleteKey(deps, actor, id)
  await expect(updateKey(deps, actor, id, {})).rejects.toMatchObject({ code: 'api_key.not_found' })
})

test('concurrent updates are serialized: each field has a value that was sent, and no version is lost', async () => {
  const { actor, id, kid } = await someKey()
  const inputs = Array.from({ length: 8 }, (_, n) => ({ networks: [`10.0.0.${n}`] }))
  await Promise.all(inputs.map((input) => updateKey(deps, actor, id, input)))
  expect(await versionInRedis(actor.userId, kid)).toBe('9')
  expect(await readKeyRecord(deps, kid)).toMatchObject({
    version: 9,
    networks: [expect.stringMatching(/^10\.0\.0\.\d/)],
  })
})

test('an update during a grace applies to both secrets and publishes one event', async () => {
  const { actor, id, kid } = await someKey()
  const successor = kidOf((await regenerateKey(deps, actor, id, { grace_seconds: 60 })).apiKey)
  await updateKey(deps, actor, id, { is_active: false })
  for (const each of [kid, successor]) {
    expect(await versionInRedis(actor.userId, each)).toBe('3')
    expect(await readKeyRecord(deps, each)).toMatchObject({ state: 'inactive', version: 3 })
  }
  const [first, second] = (await listEvents(id)).slice(-2)
  expect(first).toMatchObject({ version_field: keyVersionField(successor), version: '3', sent_at: null })
  expect(second).toMatchObject({ version_field: keyVersionField(kid), version: '3', sent_at: expect.any(Date) })
})

test('without Redis an update is made and the response says when it takes effect', async () => {
  const { actor, id } = await someKey()
  const alone = depsWithoutRedis
  expect((await updateKey(alone, actor, id, { is_active: false })).effective_within_seconds).toBe(5)
  expect(await updateKey(alone, actor, id, { name: 'calm' })).not.toHaveProperty('effective_within_seconds')
})
