import { keyVersionField } from '@tapeline/service/account-versions'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { testDeps, kidOf, makeKey } from '../../test/deps.fixture.ts'
import { openKeyStore } from '../../test/key-store.fixture.ts'
import { endOldSecret } from './end-old-secret.ts'
import { getKey } from './get-key.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import { raiseLastUses } from '../usage/use-queries.ts'

const GRACE_SECONDS = 3_600
const { db, redis, clock, deps, depsWithoutRedis, versionInRedis, listEvents, close } = await openKeyStore()
afterAll(close)

async function someRotatedKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  const { id, kid: old } = await makeKey(deps, actor, { name: 'ci', ...input })
  const { apiKey } = await regenerateKey(deps, actor, id, { grace_seconds: GRACE_SECONDS })
  return { actor, id, old, current: kidOf(apiKey) }
}

async function useOf(keyId: string, kid: string, at: Date): Promise<void> {
  await db.transaction().execute((trx) => raiseLastUses(trx, [{ keyId, kid, network: '192.0.2.0/24', at }]))
}

test('the old secret stops working before the response, and the new one still works', async () => {
  const { actor, id, old, current } = await someRotatedKey()
  const answered = await endOldSecret(deps, actor, id)
  expect(answered).toMatchObject({ key: { grace: null, status: 'active', prefix: `tl_live_${current}` } })
  expect(answered).not.toHaveProperty('effective_within_seconds')
  expect((await getKey(deps, actor, id)).key).toEqual(answered.key)
  const ended = { state: 'revoked', version: 3, replaced_at_ms: clock.nowMs, expires_at_ms: clock.nowMs }
  expect(await readKeyRecord(deps, old)).toMatchObject(ended)
  const living = { state: 'active', version: 3, replaced_at_ms: null, expires_at_ms: null }
  expect(await readKeyRecord(deps, current)).toMatchObject(living)
  for (const kid of [old, current]) {
    expect(await versionInRedis(actor.userId, kid)).toBe('3')
  }
})

test('the event names both secrets, with the grace before and after', async () => {
  const { actor, id, old, current } = await someRotatedKey()
  const until = new Date(clock.nowMs + GRACE_SECONDS * 1_000).toISOString()
  await endOldSecret(deps, actor, id)
  const grace = { prefix: `tl_live_${old}`, until }
  const data = { key_id: id, kid: current, version: 3, graced_kids: [old], before: { grace }, after: { grace: null } }
  const [first, second] = (await listEvents(id)).slice(-2)
  const envelope = { type: 'api-key.updated.v1', actorid: actor.userId, data }
  expect(first).toMatchObject({ version_field: keyVersionField(current), version: '3', envelope })
  expect(second).toMatchObject({ version_field: keyVersionField(old), version: '3' })
})

test.each([
  ['never had one', 0, async () => undefined],
  ['whose old one was ended', GRACE_SECONDS, endOldSecret],
] as const)('a key that %s has no old secret: 409, and nothing changes', async (_which, graceSeconds, before) => {
  const actor = someUser({ tier: 'pro' })
  const { id } = await makeKey(deps, actor, { name: 'ci' })
  await regenerateKey(deps, actor, id, { grace_seconds: graceSeconds })
  await before(deps, actor, id)
  const events = await listEvents(id)
  await expect(endOldSecret(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.no_old_secret', status: 409 })
  expect(await listEvents(id)).toEqual(events)
})

test("a grace that is over, by itself or through the key's expiry, cannot be ended again", async () => {
  const { actor, id } = await someRotatedKey()
  const expiring = await someRotatedKey({ expires_at: new Date(clock.nowMs + 60_000).toISOString() })
  const later = testDeps(db, redis, { nowMs: clock.nowMs + GRACE_SECONDS * 1_000 })
  for (const key of [{ actor, id }, expiring]) {
    await expect(endOldSecret(later, key.actor, key.id)).rejects.toMatchObject({ code: 'api_key.no_old_secret' })
  }
})

test('a revoked key is rejected as revoked: both of its secrets ended with it', async () => {
  const { actor, id } = await someRotatedKey()
  await revokeKey(deps, actor, id)
  await expect(endOldSecret(deps, actor, id)).rejects.toMatchObject({ code: 'api_key.already_revoked', status: 409 })
})

test('of several concurrent calls one ends the secret and the others are rejected', async () => {
  const { actor, id } = await someRotatedKey()
  const calls = await Promise.allSettled(Array.from({ length: 4 }, () => endOldSecret(deps, actor, id)))
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('without Redis the secret is ended and the response says when it takes effect', async () => {
  const { actor, id, old } = await someRotatedKey()
  const { effective_within_seconds } = await endOldSecret(depsWithoutRedis, actor, id)
  expect(effective_within_seconds).toBe(5)
  expect(await readKeyRecord(deps, old)).toMatchObject({ state: 'revoked' })
})

test('each secret has its own last use, and the key has the latest of both', async () => {
  const { actor, id, old, current } = await someRotatedKey()
  expect((await getKey(deps, actor, id)).key).toMatchObject({
    secret_last_used_at: null,
    grace: { last_used_at: null },
  })
  const newUse = new Date(clock.nowMs + 1_000)
  const oldUse = new Date(clock.nowMs + 2_000)
  await useOf(id, current, newUse)
  await useOf(id, old, oldUse)
  expect((await getKey(deps, actor, id)).key).toMatchObject({
    secret_last_used_at: newUse.toISOString(),
    last_used_at: oldUse.toISOString(),
    grace: { last_used_at: oldUse.toISOString() },
  })
})
