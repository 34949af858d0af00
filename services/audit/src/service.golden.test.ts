import { testInternalKeys } from '@tapeline/testing/call-as'
import { expectGolden } from '@tapeline/testing/golden'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, test } from 'vitest'
import { createApp } from './app.ts'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const app = await createApp(
  {
    db,
    now: () => new Date(),
    retention: { rowDays: 90, minuteDays: 100 },
    ownsKey: async () => false,
  },
  { logger: silentLogger, internalKeys: testInternalKeys, checks: {} },
)
await app.ready()
afterAll(async () => {
  await app.close()
  await drop()
})

test('who may call what', () => expectGolden('services/audit/golden/access.txt', app.accessList().join('\n')))

test('the HTTP API', () => expectGolden('services/audit/golden/openapi.json', JSON.stringify(app.swagger(), null, 2)))
