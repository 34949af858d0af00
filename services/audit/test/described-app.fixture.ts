import { connectDatabase, createPool } from '@tapeline/database/connect'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { createApp } from '../src/app.ts'
import type { Tables } from '../src/tables.ts'
import { testIds } from './ids.fixture.ts'
import { unavailableLimiter } from './limiter.fixture.ts'
import { testSubscription } from './plans.fixture.ts'
import { testWebhooks } from './webhooks.fixture.ts'

/** The service's routes without any server connected. */
export async function describedApp() {
  const pool = createPool({ url: 'postgres://never.called', connectionsMax: 1, applicationName: 'describe' })
  const db = connectDatabase<Tables>(pool)
  const deps = {
    db,
    jobsDb: db,
    now: () => new Date(),
    ...testIds,
    retention: { rowDays: 90 },
    settings: fixedSettings(),
    limiter: unavailableLimiter,
    ...testWebhooks,
    readSubscription: testSubscription,
    ownsKey: async () => undefined,
  }
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  await app.ready()
  return app
}
