import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { deleteKey } from '../keys/delete-key.ts'
import { kidOf, testDeps } from '../../test/deps.fixture.ts'
import { listKeys } from '../keys/list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { putKey } from './put-key.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const deps = testDeps(db, redis)
const externalId = 'terraform:prod.reader'
const input = { name: 'reader', tags: ['prod', 'team:data', 'prod'], owner_note: 'Data team', networks: ['10.0.0.0/8'] }

test('the first call creates the key, and repeating it changes nothing', async () => {
  const actor = someUser()
  const first = await putKey(deps, actor, { externalId, input })
  if (!('created' in first)) throw new Error('the key existed')
  expect(first.created).toMatchObject({
    apiKey: expect.stringMatching(/^tl_live_/),
    key: { external_id: externalId, tags: ['prod', 'team:data'], owner_note: 'Data team' },
  })
  const again = await putKey(deps, actor, { externalId, input })
  expect(again).toEqual({ saved: { key: first.created.key } })
  const events = await db.selectFrom('outbox').select('position').where('subject', '=', first.created.key.id).execute()
  expect(events).toHaveLength(1)
})

test('an inactive key is created as one change, and the answer says when it takes effect', async () => {
  const unreachable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  const inactive = { ...input, is_active: false }
  const put = await putKey(testDeps(db, unreachable), someUser(), { externalId, input: inactive })
  unreachable.disconnect()
  if (!('created' in put)) throw new Error('the key existed')
  const { apiKey, key, effective_within_seconds } = put.created
  expect([key.is_active, effective_within_seconds]).toEqual([false, 5])
  expect(await readKeyRecord(deps, kidOf(apiKey))).toMatchObject({ state: 'inactive', version: 1 })
  const events = await db.selectFrom('outbox').select('envelope').where('subject', '=', key.id).execute()
  expect(events).toMatchObject([{ envelope: { type: 'api-key.created.v1' } }])
})

test('a field that is left out has its default again, so the body is the whole state', async () => {
  const actor = someUser()
  await putKey(deps, actor, { externalId, input: { ...input, scopes: ['trades:read'], is_active: false } })
  const saved = await putKey(deps, actor, { externalId, input: { name: 'reader' } })
  expect(saved).toMatchObject({
    saved: {
      key: {
        is_active: true,
        tags: [],
        owner_note: null,
        networks: [],
        scopes: ['trades:read', 'l2events:read', 'files:read', 'stream:read'],
      },
    },
  })
})

test('concurrent calls create one key', async () => {
  const actor = someUser()
  const puts = await Promise.all(Array.from({ length: 5 }, () => putKey(deps, actor, { externalId, input })))
  expect(puts.filter((put) => 'created' in put)).toHaveLength(1)
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(1)
})

test('the same external id is another key in another account, and free again after a deletion', async () => {
  const [one, other] = [someUser(), someUser()]
  const first = await putKey(deps, one, { externalId, input })
  const second = await putKey(deps, other, { externalId, input })
  if (!('created' in first) || !('created' in second)) throw new Error('a key existed')
  expect(second.created.key.id).not.toBe(first.created.key.id)
  await deleteKey(deps, one, first.created.key.id)
  expect(await putKey(deps, one, { externalId, input })).toHaveProperty('created')
})

test('a revoked key stays revoked, and an environment cannot change', async () => {
  const actor = someUser()
  const put = await putKey(deps, actor, { externalId, input })
  if (!('created' in put)) throw new Error('the key existed')
  const test = putKey(deps, actor, { externalId, input: { ...input, environment: 'test' } })
  await expect(test).rejects.toMatchObject({ code: 'request.invalid', errors: [{ field: '/environment' }] })
  await revokeKey(deps, actor, put.created.key.id)
  await expect(putKey(deps, actor, { externalId, input })).rejects.toMatchObject({ code: 'api_key.already_revoked' })
})

test('a service key neither reads nor changes a service key by its external id, nor creates one', async () => {
  const owner = someUser()
  const service = { name: 'ci', kind: 'service' as const, scopes: ['keys:write' as const] }
  const put = await putKey(deps, owner, { externalId, input: service })
  if (!('created' in put)) throw new Error('the key existed')
  const caller = { ...owner, sessionId: null, keyId: put.created.key.id }
  const widen = putKey(deps, caller, { externalId, input: { ...service, scopes: ['audit:read'] } })
  await expect(widen).rejects.toMatchObject({ code: 'request.forbidden' })
  expect((await listKeys(deps, owner)).apiKeys).toMatchObject([{ scopes: ['keys:write'] }])
})
