import type { Actor } from '@tapeline/contracts/actor'
import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { createApp } from '../src/app.ts'
import type { BackgroundDeps } from '../src/background.ts'
import type { Deps } from '../src/deps.ts'
import type { ForecastDeps } from '../src/forecast/show-forecast.ts'
import type { WebhookDeps } from '../src/webhooks/webhook-deps.ts'
import { testIds } from './ids.fixture.ts'
import { unavailableLimiter } from './limiter.fixture.ts'
import { testSubscription } from './plans.fixture.ts'
import { testWebhooks } from './webhooks.fixture.ts'
import { migrations } from '../src/migrations/all.ts'
import { recordUsage } from '../src/ingest/record-usage.ts'
import { ensureDays } from '../src/rollups/ensure-days.ts'
import type { Tables } from '../src/tables.ts'

const MINUTE_MS = 60_000

/** The service on a database of the test, with a clock that the test controls. `close` it in afterAll. */
export async function openTestApp(startsAt: string) {
  const database = await openTestDatabase<Tables>(migrations)
  const { db } = database
  const clock = { nowMs: Date.parse(startsAt) }
  const deps: Deps & WebhookDeps & ForecastDeps & BackgroundDeps = {
    db,
    jobsDb: db,
    now: () => new Date(clock.nowMs),
    ...testIds,
    retention: { rowDays: 90 },
    settings: fixedSettings(),
    limiter: unavailableLimiter,
    ...testWebhooks,
    readSubscription: testSubscription,
    ownsKey: async () => true,
  }
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  return {
    app,
    db,
    databaseUrl: database.url,
    deps,
    clock,
    ago: (minutes: number) => new Date(clock.nowMs - minutes * MINUTE_MS),
    get: (actor: Actor, url: string) => callAs(app, 'audit', actor, { method: 'GET', url: `/api/v1/internal/${url}` }),
    patch: (actor: Actor, url: string) =>
      callAs(app, 'audit', actor, { method: 'PATCH', url: `/api/v1/internal/${url}` }),
    record: async (...events: Event<UsageRequestServed>[]) => {
      // Months of partitions take longer to create on a busy machine than a transaction may idle.
      const times = events.map(({ time }) => Date.parse(time))
      await ensureDays(db, times)
      await db.transaction().execute((trx) => recordUsage(deps, trx, events))
    },
    close: async () => {
      await app.close()
      await database.drop()
    },
  }
}
