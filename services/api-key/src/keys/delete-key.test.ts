import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from './delete-key.ts'
import { makeKey } from '../../test/deps.fixture.ts'
import { openKeyStore } from '../../test/key-store.fixture.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { readKeyRecord } from './read-key-record.ts'
import { revokeKey } from './revoke-key.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const { clock, deps, versionInRedis, listEvents, close } = await openKeyStore()
afterAll(close)

async function someKey(input = {}) {
  const actor = someUser({ tier: 'pro' })
  return { actor, ...(await makeKey(deps, actor, { name: 'ci', ...input })) }
}

test('a deleted key does not exist for its owner and is reported as deleted to the gateway for a month', async () => {
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
