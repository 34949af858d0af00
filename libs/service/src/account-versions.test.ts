import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountHashKey, keyVersionField, markSeeded, raiseVersion } from './account-versions.ts'
import { connectRedis, redisReady } from './redis.ts'

const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
beforeAll(async () => expect(await redisReady(redis, 30_000)).toBe(true))
afterAll(() => redis.disconnect())

test('a version only increases, regardless of the order of writes', async () => {
  const accountId = crypto.randomUUID()
  const field = keyVersionField('abcdefghijkl')
  for (const version of [2, 10, 9]) expect(await raiseVersion(redis, { accountId, field, version })).toBe(true)
  expect(await redis.hget(accountHashKey(accountId), field)).toBe('10')
})

test('the seeding mark is written once', async () => {
  const accountId = crypto.randomUUID()
  await markSeeded(redis, accountId, 1_000)
  await markSeeded(redis, accountId, 2_000)
  expect(await redis.hget(accountHashKey(accountId), 'g')).toBe('1000')
})

test('an unavailable Redis is reported without waiting for it', async () => {
  const unreachable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  expect(await raiseVersion(unreachable, { accountId: 'a', field: 'u', version: 1 })).toBe(false)
  unreachable.disconnect()
})
