import { fixedSettings } from '@tapeline/service/platform-settings'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { expectGolden } from '@tapeline/testing/golden'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, test } from 'vitest'
import { createApp } from './app.ts'
import { askAudit } from './ask-audit.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const deps = {
  db,
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  raiseVersion: async () => true,
  forgetVersion: async () => {},
  settings: fixedSettings(),
  askKeyUsage: askAudit('http://127.0.0.1:1', testInternalKeys),
}
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
await app.ready()
afterAll(async () => {
  await app.close()
  await drop()
})

test('every route says who may call it', async () => {
  await expectGolden('services/api-key/golden/access.txt', app.accessList().join('\n'))
})

test('the API keeps its shape', async () => {
  await expectGolden('services/api-key/golden/openapi.json', JSON.stringify(app.swagger(), null, 2))
})
