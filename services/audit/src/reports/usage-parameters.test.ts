import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { testIds } from '../../test/ids.fixture.ts'
import { unavailableLimiter } from '../../test/limiter.fixture.ts'
import { testSubscription } from '../../test/plans.fixture.ts'
import { testWebhooks } from '../../test/webhooks.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const app = await createApp(
  {
    db,
    jobsDb: db,
    now: () => new Date(),
    ...testIds,
    retention: { rowDays: 90 },
    settings: fixedSettings(),
    limiter: unavailableLimiter,
    ...testWebhooks,
    readSubscription: testSubscription,
    ownsKey: async () => true,
  },
  { logger: silentLogger, internalKeys: testInternalKeys, checks: {} },
)
afterAll(async () => {
  await app.close()
  await drop()
})

const FUTURE = '2999-01-01T00:00:00Z'

test.each([
  ['dashboard-metrics?period=2d', '/period'],
  ['dashboard-metrics?period=7d&period=30d', '/period'],
  ['dashboard-metrics?period=', '/period'],
  ['dashboard-metrics?from=yesterday', '/from'],
  ['dashboard-metrics?to=2026-03-09T00:00:00Z', '/from'],
  [`dashboard-metrics?from=${new Date(Date.now() - 60_000).toISOString()}&to=${FUTURE}`, '/to'],
  [`dashboard-metrics?period=7d&from=${FUTURE}`, '/period'],
  ['dashboard-metrics?to=1970-01-01', '/to'],
  ['dashboard-metrics?tz=UTC', '/tz'],
  [`dashboard-metrics?route=${'x'.repeat(121)}`, '/route'],
  ['dashboard-metrics?route=%00', '/route'],
  ['usage-breakdown?groupBy=colour', '/groupBy'],
  ['usage-breakdown?groupBy=', '/groupBy'],
  ['usage-breakdown?from=2026-03-09', '/from'],
  ['api-key-usage?days=3', '/days'],
  ['api-key-usage?apiKeyId=a%00', '/apiKeyId'],
  [`api-key-usage?apiKeyId=${'x'.repeat(41)}`, '/apiKeyId'],
  ['real-time-stats?seconds=5', '/seconds'],
])('%s is rejected with the parameter', async (call, field) => {
  const url = `/api/v1/internal/apikeyaudit/${call}`
  const answer = await callAs(app, 'audit', someUser({ tier: 'pro' }), { method: 'GET', url })
  const code = expect.stringMatching(/^(request|period)\.invalid$/)
  expect(answer.json()).toMatchObject({ status: 400, code, errors: [{ field }] })
})
