import { fixedSettings } from '@tapeline/service/platform-settings'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { testIds } from '../test/ids.fixture.ts'
import { migrations } from './migrations/all.ts'
import { deniedUsageEvent } from '@tapeline/testing/usage/usage-event'
import { subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'
import { verifyUsage } from './reconciliation/verify-usage.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

test('a request delivered twice is counted once', async () => {
  const event = deniedUsageEvent()
  const listening = subscriptions({
    db,
    now: () => new Date(),
    ...testIds,
    retention: { rowDays: 90 },
    settings: fixedSettings(),
  })
  await deliverTwice(db, listening, event)
  expect(await verifyUsage(db, event.data.account_id)).toMatchObject({ isRight: true, rows: 1 })
})
