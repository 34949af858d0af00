import { planName } from '@tapeline/contracts/actor'
import { accountHashKey, keyCountersField, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { createKey } from './create-key.ts'
import { deleteKey } from './delete-key.ts'
import { testDeps } from '../../test/deps.fixture.ts'
import { KEYS_LISTED_MAX } from './keys-per-tier.ts'
import { listKeys } from './list-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from './read-key-record.ts'
import { revokeKey } from './revoke-key.ts'
import { hashSecret } from './secret.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})

const deps = testDeps(db, redis)

test('a new key is returned in full once, stored as a hash, and accepted by the gateway', async () => {
  const actor = someUser()
  const created = await createKey(deps, actor, { name: '  CI  ', description: ' nightly\nruns ' })
  expect(created).toMatchObject({
    name: 'CI',
    key: { name: 'CI', description: 'nightly\nruns', api_key: '•'.repeat(16), is_active: true, status: 'active' },
  })
  expect(created).not.toHaveProperty('effective_within_seconds')
  const [, , kid = '', secret = ''] = created.apiKey.split('_')
  expect(created.key.prefix).toBe(`tl_live_${kid}`)
  expect(await readKeyRecord(deps, kid)).toEqual({
    kid,
    key_id: created.key.id,
    account_id: actor.userId,
    version: 1,
    secret_sha256: hashSecret(secret).toString('hex'),
    state: 'active',
    environment: 'live',
    scopes: ['trades:read', 'l2events:read', 'files:read', 'stream:read'],
    networks: [],
    rate_limits: null,
    expires_at_ms: null,
    replaced_at_ms: null,
  })
  expect(await redis.hget(accountHashKey(actor.userId), keyVersionField(kid))).toBe('1')
  const rows = await Promise.all([
    db.selectFrom('api_key').selectAll().execute(),
    db.selectFrom('api_key_secret').selectAll().execute(),
    db.selectFrom('outbox').selectAll().execute(),
  ])
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('change and event are saved together, and the event carries the version for Redis', async () => {
  const actor = someUser()
  const { key, apiKey } = await createKey(deps, actor, { name: 'with an event' })
  const kid = apiKey.split('_')[2]
  const event = await db.selectFrom('outbox').selectAll().where('subject', '=', key.id).executeTakeFirstOrThrow()
  expect(event).toMatchObject({
    topic: 'api-key',
    version_account: actor.userId,
    version_field: `k:${kid}`,
    version: '1',
    envelope: {
      type: 'api-key.created.v1',
      account: actor.userId,
      actorid: actor.userId,
      data: { key_id: key.id, kid, account_id: actor.userId, name: 'with an event', version: 1 },
    },
  })
})

test.each([
  ['free', 3, 'The Basic plan includes 10.'],
  ['basic', 10, 'The Pro plan includes 50.'],
  ['pro', 50, 'Delete or revoke one first.'],
] as const)('tier %s has %i keys; one more is rejected with a remedy', async (tier, included, remedy) => {
  const actor = someUser({ tier })
  for (let number = 1; number <= included; number += 1) await createKey(deps, actor, { name: `key ${number}` })
  await expect(createKey(deps, actor, { name: 'one more' })).rejects.toMatchObject({
    code: 'api_key.limit_reached',
    status: 403,
    message: `The ${planName(tier)} plan includes ${included} API keys. ${remedy}`,
  })
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(included)
})

test("concurrent creations never exceed the tier's number of keys", async () => {
  const actor = someUser()
  await createKey(deps, actor, { name: 'first' })
  await createKey(deps, actor, { name: 'second' })
  const tries = await Promise.allSettled(Array.from({ length: 4 }, () => createKey(deps, actor, { name: 'third' })))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(3)
})

test('a revoked or deleted key frees its slot', async () => {
  const actor = someUser()
  const keys = [
    await createKey(deps, actor, { name: 'a' }),
    await createKey(deps, actor, { name: 'b' }),
    await createKey(deps, actor, { name: 'c' }),
  ]
  await revokeKey(deps, actor, keys[0]?.key.id ?? '')
  await deleteKey(deps, actor, keys[1]?.key.id ?? '')
  await createKey(deps, actor, { name: 'd' })
  await createKey(deps, actor, { name: 'e' })
  await expect(createKey(deps, actor, { name: 'f' })).rejects.toMatchObject({ code: 'api_key.limit_reached' })
})

test('the number of revoked keys is bounded by what a list shows', async () => {
  const actor = someUser()
  const { key } = await createKey(deps, actor, { name: 'template' })
  const { kid: _, ...row } = {
    ...(await db.selectFrom('api_key').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()),
    kid: '',
  }
  const revoked = Array.from({ length: KEYS_LISTED_MAX - 1 }, () => ({
    ...row,
    id: deps.newId(),
    state: 'revoked' as const,
  }))
  await db.insertInto('api_key').values(revoked).execute()
  await expect(createKey(deps, actor, { name: 'one more' })).rejects.toThrow('delete revoked ones first')
})

test.each([
  ['name', { name: 'two\nlines' }],
  ['name', { name: 'two\u2028lines' }],
  ['name', { name: 'nul\u0000' }],
  ['description', { name: 'fine', description: 'nul\u0000' }],
])('a control character in the %s is rejected with its field', async (field, input) => {
  await expect(createKey(deps, someUser(), input)).rejects.toMatchObject({
    status: 400,
    errors: [{ field: `/${field}` }],
  })
})

test('without Redis the key is created and the response says when it takes effect', async () => {
  const gone = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  const created = await createKey(testDeps(db, gone), someUser(), { name: 'lonely' })
  gone.disconnect()
  expect(created.effective_within_seconds).toBe(5)
})

test('the counters of a new key with its own limits are marked as initialized; a key without limits has none', async () => {
  const actor = someUser()
  const capped = await createKey(deps, actor, { name: 'capped', rate_limits: { requestsPerMinute: 5 } })
  const plain = await createKey(deps, actor, { name: 'plain' })
  const markOf = (keyId: string) => redis.hget(accountHashKey(actor.userId), keyCountersField(keyId))
  expect(await markOf(capped.key.id)).toBe(String(Date.parse(capped.key.created_at)))
  expect(await markOf(plain.key.id)).toBeNull()
})
