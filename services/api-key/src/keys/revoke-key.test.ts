import { keyVersionField } from '@tapeline/service/account-versions'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from './delete-key.ts'
import { kidOf, makeKey } from '../../test/deps.fixture.ts'
import { openKeyStore } from '../../test/key-store.fixture.ts'
import { listKeys } from './list-keys.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'

const { clock, deps, depsWithoutRedis, versionInRedis, listEvents, close } = await openKeyStore()
afterAll(close)

async function someKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
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
  const alone = depsWithoutRedis
  const { actor, id } = await someKey()
  expect((await regenerateKey(alone, actor, id)).effective_within_seconds).toBe(5)
  expect((await revokeKey(alone, actor, id)).effective_within_seconds).toBe(5)
  expect((await deleteKey(alone, actor, id)).effective_within_seconds).toBe(5)
})
