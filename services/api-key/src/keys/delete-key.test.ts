import { accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from './delete-key.ts'
import { testDeps, makeKey } from '../../test/deps.fixture.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from './read-key-record.ts'
import { revokeKey } from './revoke-key.ts'
import type { Tables } from '../tables.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
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
