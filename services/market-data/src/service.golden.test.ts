import { testInternalKeys } from '@tapeline/testing/call-as'
import { expectGolden } from '@tapeline/testing/golden'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, test } from 'vitest'
import { createApp } from './app.ts'
import { createDeps } from './deps.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'not used by this test, but long enough')
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
await app.ready()
afterAll(async () => {
  await app.close()
  await drop()
})

test('who may call what', async () => {
  await expectGolden('services/market-data/golden/access.txt', app.accessList().join('\n'))
})

test('the HTTP API', async () => {
  await expectGolden('services/market-data/golden/openapi.json', JSON.stringify(app.swagger(), null, 2))
})
