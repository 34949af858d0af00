import type { Actor } from '@tapeline/contracts/actor'
import { MASKED_API_KEY } from '@tapeline/contracts/api-key/http'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { testDeps, makeKey } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
expect(await redisReady(redis, 30_000)).toBe(true)
const deps = testDeps(db, redis)
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
afterAll(async () => {
  await app.close()
  redis.disconnect()
  await drop()
})

const request = (actor: Actor, accountId: string) =>
  callAs(app, 'api-key', actor, { method: 'GET', url: `/internal/accounts/${accountId}/keys` })

test('identity can list an account’s keys as their owner sees them, without secrets; other callers cannot', async () => {
  const owner = someUser({ role: 'admin' })
  const { apiKey } = await makeKey(deps, owner, { name: 'ci', networks: ['203.0.113.0/24'] })
  await makeKey(deps, someUser(), { name: 'another user’s' })
  const answer = await request({ kind: 'service', service: 'identity' }, owner.userId)
  expect(answer.json()).toMatchObject({
    apiKeys: [{ name: 'ci', api_key: MASKED_API_KEY, networks: ['203.0.113.0/24'] }],
  })
  expect(answer.json().apiKeys).toHaveLength(1)
  expect(answer.body).not.toContain(apiKey.split('_')[3])
  for (const actor of [owner, { kind: 'service', service: 'gateway' } as const]) {
    expect((await request(actor, owner.userId)).statusCode).toBe(404)
  }
})
