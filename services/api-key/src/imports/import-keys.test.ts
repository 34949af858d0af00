import type { ImportedKey } from '@tapeline/contracts/api-key/imports'
import { importedKeyHash, importedKid } from '@tapeline/service/keys/imported-key'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps } from '../../test/deps.fixture.ts'
import { deleteKey } from '../keys/delete-key.ts'
import { listKeys } from '../keys/list-keys.ts'
import { reportLeakedKeys } from '../leaks/report-leaked-keys.ts'
import { migrations } from '../migrations/all.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import { regenerateKey } from '../keys/regenerate-key.ts'
import type { Tables } from '../tables.ts'
import { importKeys } from './import-keys.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
afterAll(async () => {
  redis.disconnect()
  await drop()
})
const deps = testDeps(db, redis)

const foreignKey = () => `acme_${crypto.randomUUID()}`
const hashed = (key: string, encoding: 'hex' | 'base64' = 'hex', fields: Partial<ImportedKey> = {}): ImportedKey => ({
  name: 'reader',
  sha256: importedKeyHash(key).toString(encoding),
  ...fields,
})
const kidOf = (key: string) => importedKid(importedKeyHash(key))

test.each(['hex', 'base64'] as const)('a key is imported by its hash in %s, with its fields', async (encoding) => {
  const [actor, key] = [someUser(), foreignKey()]
  const fields = { prefix: 'acme_', tags: ['old'], external_id: 'c-1', scopes: ['trades:read' as const] }
  const { imported, keys } = await importKeys(deps, actor, { keys: [hashed(key, encoding, fields)] })
  expect(imported).toBe(1)
  expect(keys).toMatchObject([
    {
      outcome: 'imported',
      key: { name: 'reader', prefix: 'acme_', tags: ['old'], external_id: 'c-1', status: 'active' },
    },
  ])
  expect(await readKeyRecord(deps, kidOf(key))).toMatchObject({
    account_id: actor.userId,
    secret_sha256: importedKeyHash(key).toString('hex'),
    state: 'active',
    environment: 'live',
    scopes: ['trades:read'],
  })
})

test('imported again, a key stays as it is; another account cannot take it', async () => {
  const [actor, key] = [someUser(), foreignKey()]
  const body = { keys: [hashed(key)] }
  const answers = await Promise.all([1, 2, 3].map(() => importKeys(deps, actor, body)))
  expect(answers.reduce((sum, { imported }) => sum + imported, 0)).toBe(1)
  expect((await listKeys(deps, actor)).apiKeys).toHaveLength(1)
  const thief = someUser()
  expect((await importKeys(deps, thief, body)).keys).toMatchObject([{ outcome: 'failed', code: 'api_key.hash_in_use' }])
  expect((await readKeyRecord(deps, kidOf(key))).account_id).toBe(actor.userId)
  expect((await listKeys(deps, thief)).apiKeys).toEqual([])
})

test('one key that cannot be imported does not stop the others; the maximum of the tier applies', async () => {
  const actor = someUser()
  const keys = [
    hashed(foreignKey(), 'hex', { networks: ['10.1.2.3/8'] }),
    ...[1, 2, 3, 4].map(() => hashed(foreignKey())),
  ]
  const { imported, keys: outcomes } = await importKeys(deps, actor, { keys })
  expect([imported, outcomes.map(({ code }) => code)]).toEqual([
    3,
    ['request.invalid', undefined, undefined, undefined, 'api_key.limit_reached'],
  ])
})

test('an imported key is paused, rotated to a key of this platform, deleted and reported like any other', async () => {
  const [actor, paused, leaked] = [someUser(), foreignKey(), foreignKey()]
  const { keys } = await importKeys(deps, actor, {
    keys: [hashed(paused, 'hex', { is_active: false }), hashed(leaked)],
  })
  expect(keys).toMatchObject([
    { key: { status: 'inactive' } },
    { key: { prefix: expect.stringMatching(/^imported_/) } },
  ])
  const { apiKey, key } = await regenerateKey(deps, actor, keys[0]?.key?.id ?? '', { grace_seconds: 60 })
  expect([apiKey.slice(0, 8), key.prefix.slice(0, 8)]).toEqual(['tl_live_', 'tl_live_'])
  await reportLeakedKeys(deps, { keys: [leaked] })
  expect((await readKeyRecord(deps, kidOf(leaked))).state).toBe('revoked')
  await deleteKey(deps, actor, keys[1]?.key?.id ?? '')
  expect((await importKeys(deps, actor, { keys: [hashed(leaked)] })).keys).toMatchObject([
    { code: 'api_key.hash_in_use' },
  ])
})
