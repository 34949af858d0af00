import { connectDatabase, createPool } from '@tapeline/database/connect'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { expectGolden } from '@tapeline/testing/golden'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, test } from 'vitest'
import { createApp } from './app.ts'
import { idsUnderTest } from '../test/ids.fixture.ts'
import { limiterAway } from '../test/limiter.fixture.ts'
import type { Tables } from './tables.ts'

const pool = createPool({ url: 'postgres://never.called', connectionsMax: 1, applicationName: 'golden' })
const app = await createApp(
  {
    db: connectDatabase<Tables>(pool),
    now: () => new Date(),
    ...idsUnderTest,
    retention: { rowDays: 90 },
    settings: fixedSettings(),
    limiter: limiterAway,
    ownsKey: async () => undefined,
  },
  { logger: silentLogger, internalKeys: testInternalKeys, checks: {} },
)
await app.ready()
afterAll(() => app.close())

test('who may call what', () => expectGolden('services/audit/golden/access.txt', app.accessList().join('\n')))

test('the HTTP API', () => expectGolden('services/audit/golden/openapi.json', JSON.stringify(app.swagger(), null, 2)))
