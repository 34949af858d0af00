import type { UserActor } from '@tapeline/contracts/actor'
import { SERVICE_SCOPES } from '@tapeline/contracts/api-key/http'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { createKey } from './create-key.ts'
import { deleteKey } from './delete-key.ts'
import { testDeps, kidOf, makeKey } from '../../test/deps.fixture.ts'
import { getKey } from './get-key.ts'
import { listKeys } from './list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from './read-key-record.ts'
import { regenerateKey } from './regenerate-key.ts'
import { revokeKey } from './revoke-key.ts'
import type { Tables } from '../tables.ts'
import { updateKey } from './update-key.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const deps = testDeps(db, redis)
const ci = { name: 'ci', kind: 'service' as const, scopes: ['keys:read' as const, 'keys:write' as const] }

/** The owner's account, called with one of its service keys. */
async function byServiceKey(owner: UserActor) {
  const created = await makeKey(deps, owner, ci)
  return { ...created, caller: { ...owner, sessionId: null, keyId: created.id, scopes: [...SERVICE_SCOPES] } }
}

test('a service key has its own prefix and scopes, and gateways receive its kind', async () => {
  const owner = someUser()
  const { apiKey, key } = await createKey(deps, owner, ci)
  expect(apiKey).toMatch(/^tl_svc_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
  expect(key).toMatchObject({ kind: 'service', prefix: apiKey.slice(0, 19), scopes: ['keys:read', 'keys:write'] })
  expect(await readKeyRecord(deps, kidOf(apiKey))).toMatchObject({ kind: 'service', environment: 'live' })
  const regenerated = await regenerateKey(deps, owner, key.id)
  expect(regenerated.apiKey).toMatch(/^tl_svc_/)
})

test('each list shows the keys of its kind, and the account export all of them', async () => {
  const owner = someUser()
  await createKey(deps, owner, { name: 'data' })
  await createKey(deps, owner, ci)
  const names = async (kind?: 'data' | 'service') =>
    (await listKeys(deps, owner, kind === undefined ? {} : { kind })).apiKeys.map(({ name }) => name).toSorted()
  expect([await names('data'), await names('service'), await names()]).toEqual([['data'], ['ci'], ['ci', 'data']])
})

test.each([
  ['/scopes', { name: 'ci', kind: 'service' as const }],
  ['/scopes/1', { name: 'ci', scopes: ['trades:read' as const, 'keys:write' as const] }],
  ['/environment', { ...ci, environment: 'test' as const }],
])('an invalid kind or scope is rejected with the field %s', async (field, input) => {
  const created = createKey(deps, someUser(), input)
  await expect(created).rejects.toMatchObject({ code: 'request.invalid', errors: [{ field }] })
})

test('a market-data key never gets a service scope by an update', async () => {
  const owner = someUser()
  const { id } = await makeKey(deps, owner, { name: 'data' })
  const update = updateKey(deps, owner, id, { scopes: ['audit:read'] })
  await expect(update).rejects.toMatchObject({ code: 'request.invalid', errors: [{ field: '/scopes/0' }] })
  expect((await getKey(deps, owner, id)).key.scopes).not.toContain('audit:read')
})

test('a service key manages market-data keys, and each change names it in the trail', async () => {
  const owner = someUser()
  const { caller, id } = await byServiceKey(owner)
  const created = await makeKey(deps, caller, { name: 'by automation' })
  await updateKey(deps, caller, created.id, { name: 'renamed' })
  await revokeKey(deps, caller, created.id)
  const events = await db.selectFrom('outbox').select('envelope').where('subject', '=', created.id).execute()
  expect(events).toHaveLength(3)
  for (const { envelope } of events) {
    expect(envelope).toMatchObject({ account: owner.userId, actorkind: 'api_key', actorid: id })
  }
  expect((await getKey(deps, owner, created.id)).key).toMatchObject({ name: 'renamed', status: 'revoked' })
})

test('a service key cannot create, read or change service keys, including itself', async () => {
  const owner = someUser({ tier: 'pro' })
  const { caller, id } = await byServiceKey(owner)
  const other = await makeKey(deps, owner, ci)
  await expect(createKey(deps, caller, ci)).rejects.toMatchObject({ code: 'request.forbidden', status: 403 })
  for (const keyId of [id, other.id]) {
    for (const attempt of [
      () => getKey(deps, caller, keyId),
      () => updateKey(deps, caller, keyId, { scopes: [...SERVICE_SCOPES] }),
      () => regenerateKey(deps, caller, keyId),
      () => revokeKey(deps, caller, keyId),
      () => deleteKey(deps, caller, keyId),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'api_key.not_found' })
    }
  }
  expect((await listKeys(deps, caller, { kind: 'service' })).apiKeys).toEqual([])
  expect((await listKeys(deps, owner, { kind: 'service' })).apiKeys).toHaveLength(2)
})

test('service keys have a limit of their own: they take no slot of a market-data key', async () => {
  const owner = someUser()
  await createKey(deps, owner, ci)
  await expect(createKey(deps, owner, ci)).rejects.toMatchObject({
    code: 'api_key.limit_reached',
    message: 'The Free plan includes 1 service key. The Basic plan includes 5.',
  })
  for (const name of ['a', 'b', 'c']) await createKey(deps, owner, { name })
  await expect(createKey(deps, owner, { name: 'd' })).rejects.toMatchObject({ code: 'api_key.limit_reached' })
})
