import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import type { Deps } from './deps.ts'
import { idsUnderTest } from './ids-under-test.ts'
import { limiterAway } from './limiter-under-test.ts'
import { migrations } from './migrations/all.ts'
import { recordUsage } from './record-usage.ts'
import { showUsageBreakdown } from './show-usage-breakdown.ts'
import { someUsage } from './some-usage.ts'
import type { Tables } from './tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
const NOW = new Date('2026-11-05T10:20:30Z')
const deps: Deps = {
  db,
  now: () => NOW,
  ...idsUnderTest,
  retention: { rowDays: 90 },
  limiter: limiterAway,
  ownsKey: async () => true,
}
const HOUR_MS = 3_600_000

test.each(['UTC', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Europe/London'])(
  'in %s each bucket of each period holds the requests of its time, and all add up',
  async (timeZone) => {
    const actor = { ...someUser({ tier: 'pro' }), timeZone }
    // Around midnight and half past, over the night in which the clocks change.
    const times = Array.from({ length: 300 }, (_, n) => new Date(NOW.getTime() - n * 2.37 * HOUR_MS))
    const events = times.map((at) => someUsage({ account_id: actor.userId, at }))
    await db.transaction().execute((trx) => recordUsage({ db }, trx, events))
    for (const period of ['1h', '24h', '7d', '30d', '90d'] as const) {
      const report = await showUsageBreakdown(deps, actor, { period })
      for (const { from, to, total } of report.series) {
        const inside = times.filter((time) => time >= new Date(from) && time <= new Date(to) && time <= NOW)
        const expected = inside.filter((time) => time < new Date(to) || to === report.period.to).length
        expect({ from, total }).toEqual({ from, total: expected })
      }
      expect(report.series.reduce((sum, { total }) => sum + total, 0)).toBe(report.total)
      expect(report.rows.reduce((sum, { total }) => sum + total, 0)).toBe(report.total)
    }
  },
)
