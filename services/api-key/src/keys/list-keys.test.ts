import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { createKey } from './create-key.ts'
import { deleteKey } from './delete-key.ts'
import { makeKey } from '../../test/deps.fixture.ts'
import { openKeyStore } from '../../test/key-store.fixture.ts'
import { endOldSecret } from './end-old-secret.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import { updateKey } from './update-key.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const { clock, deps, listEvents, close } = await openKeyStore()
afterAll(close)

async function someKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
}

const verbs = {
  endOldSecret,
  getKey,
  revokeKey,
  deleteKey,
  regenerateKey,
  updateKey: (...[by, actor, keyId]: Parameters<typeof getKey>) =>
    updateKey({ ...deps, ...by }, actor, keyId, { is_active: false }),
}

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

test('a list is newest first, masked, and contains only the caller’s keys', async () => {
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

test('an unknown kid is not found', async () => {
  await expect(readKeyRecord(deps, 'x'.repeat(12))).rejects.toMatchObject({ code: 'api_key.not_found', status: 404 })
})
