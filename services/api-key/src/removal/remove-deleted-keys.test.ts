import { accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from '../keys/delete-key.ts'
import { testDeps, makeKey } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import { regenerateKey } from '../keys/regenerate-key.ts'
import { removeDeletedKeys } from './remove-deleted-keys.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import type { Tables } from '../tables.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') }
const deps = testDeps(db, redis, clock)
const actor = someUser()
const key = (name: string) => makeKey(deps, actor, { name })
const versionsOf = (...kids: string[]) =>
  redis.hmget(accountHashKey(actor.userId), ...kids.map((kid) => keyVersionField(kid)))
const rowsOf = async (table: 'api_key_use' | 'api_key_network' | 'api_key_secret', keyId: string) =>
  (await db.selectFrom(table).select('key_id').where('key_id', '=', keyId).execute()).length

test('a deleted key is kept for 31 days, then removed with all dependent rows; other keys stay', async () => {
  const [deleted, revoked, living] = [await key('deleted'), await key('revoked'), await key('living')]
  for (const { id, kid } of [deleted, living]) {
    await db.insertInto('api_key_use').values({ kid, key_id: id, last_used_at: deps.now() }).execute()
    await db.insertInto('api_key_network').values({ key_id: id, network: 'a', last_seen_at: deps.now() }).execute()
  }
  await regenerateKey(deps, actor, living.id)
  await revokeKey(deps, actor, revoked.id)
  await deleteKey(deps, actor, deleted.id)
  clock.nowMs += 31 * DAY_MS
  expect(await removeDeletedKeys(deps)).toBe(0)
  expect(await readKeyRecord(deps, deleted.kid)).toMatchObject({ state: 'deleted' })
  expect(await versionsOf(deleted.kid, living.kid, revoked.kid)).toEqual(['2', '2', '2'])
  expect(await readKeyRecord(deps, living.kid)).toMatchObject({ state: 'revoked' })
  clock.nowMs += 1
  expect(await removeDeletedKeys(deps)).toBe(1)
  expect(await removeDeletedKeys(deps)).toBe(0)
  expect(await versionsOf(deleted.kid, living.kid, revoked.kid)).toEqual([null, null, '2'])
  for (const table of ['api_key_use', 'api_key_network', 'api_key_secret'] as const) {
    expect([table, await rowsOf(table, deleted.id)]).toEqual([table, 0])
    expect([table, await rowsOf(table, living.id)]).toEqual([table, 1])
  }
  await expect(readKeyRecord(deps, living.kid)).rejects.toMatchObject({ code: 'api_key.not_found' })
  expect(await readKeyRecord(deps, revoked.kid)).toMatchObject({ state: 'revoked' })
  clock.nowMs += 60 * DAY_MS
  await removeDeletedKeys(deps)
  expect(await rowsOf('api_key_network', living.id)).toBe(0)
  expect(await rowsOf('api_key_use', living.id)).toBe(1)
})
