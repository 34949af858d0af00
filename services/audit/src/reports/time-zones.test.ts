import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import type { Deps } from '../deps.ts'
import { testIds } from '../../test/ids.fixture.ts'
import { unavailableLimiter } from '../../test/limiter.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { recorded } from '../../test/record-events.fixture.ts'
import { showUsageBreakdown } from './show-usage-breakdown.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
let now = new Date()
const deps: Deps = {
  db,
  now: () => now,
  ...testIds,
  retention: { rowDays: 90 },
  settings: fixedSettings(),
  limiter: unavailableLimiter,
  ownsKey: async () => true,
}
const HOUR_MS = 3_600_000

const AUTUMN = '2026-11-05T10:20:30Z'
const SPRING = '2026-04-10T10:20:30Z'

test.each([
  ['UTC', AUTUMN],
  ['America/New_York', AUTUMN],
  ['America/New_York', SPRING],
  ['Europe/London', AUTUMN],
  ['Asia/Kolkata', AUTUMN],
  ['Asia/Kathmandu', AUTUMN],
  ['Pacific/Chatham', SPRING],
  ['Australia/Lord_Howe', SPRING],
])('in %s at %s each bucket of each period holds the requests of its time, and all add up', async (timeZone, at) => {
  now = new Date(at)
  const actor = { ...someUser({ tier: 'pro' }), timeZone }
  // Around midnight and half past, across the night of a clock change.
  const times = Array.from({ length: 300 }, (_, n) => new Date(now.getTime() - n * 2.37 * HOUR_MS))
  const events = times.map((time) => usageEvent({ account_id: actor.userId, at: time }))
  await recorded(db, events)
  for (const period of ['1h', '24h', '7d', '30d', '90d'] as const) {
    const report = await showUsageBreakdown(deps, actor, { period })
    for (const { from, to, total } of report.series) {
      const inside = times.filter((time) => time >= new Date(from) && time <= new Date(to) && time <= now)
      const expected = inside.filter((time) => time < new Date(to) || to === report.period.to).length
      expect({ from, total }).toEqual({ from, total: expected })
    }
    expect(report.total).toBe(times.filter((time) => time >= new Date(report.period.from)).length)
    expect(report.series.reduce((sum, { total }) => sum + total, 0)).toBe(report.total)
    expect(report.rows.reduce((sum, { total }) => sum + total, 0)).toBe(report.total)
  }
})
