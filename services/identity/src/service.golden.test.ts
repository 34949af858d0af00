import { connectRedis } from '@tapeline/service/redis'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { expectGolden } from '@tapeline/testing/golden'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, test } from 'vitest'
import { createApp } from './app.ts'
import { depsUnderTest } from '../test/deps.fixture.ts'
import { migrations } from './migrations/all.ts'
import { createSigningKeys } from './sessions/signing-keys.ts'
import type { Tables } from './tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 2_000 })
const deps = await depsUnderTest(db, redis)
const signingKeys = createSigningKeys({ db, now: deps.now, secret: 'not used by this test' })
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, signingKeys })
await app.ready()
afterAll(async () => {
  await app.close()
  redis.disconnect()
  await drop()
})

test('who may call what', async () => {
  await expectGolden('services/identity/golden/access.txt', app.accessList().join('\n'))
})

test('the HTTP API', async () => {
  await expectGolden('services/identity/golden/openapi.json', JSON.stringify(app.swagger(), null, 2))
})
