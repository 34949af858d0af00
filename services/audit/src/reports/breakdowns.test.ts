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
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import type { Tables } from '../tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
const NOW = new Date('2026-11-05T10:20:30Z')
const deps: Deps = {
  db,
  now: () => NOW,
  ...testIds,
  retention: { rowDays: 90 },
  settings: fixedSettings(),
  limiter: unavailableLimiter,
  ownsKey: async () => true,
}
const HOUR_MS = 3_600_000
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS)
const record = (events: ReturnType<typeof usageEvent>[]) => recorded(db, events)

test.each(['UTC', 'America/New_York', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe'])(
  'in %s a row is a local hour of the day, also across a clock change',
  async (timeZone) => {
    const actor = { ...someUser({ tier: 'pro' }), timeZone }
    const times = Array.from({ length: 500 }, (_, n) => ago(n * 1.377))
    await record(
      times.map((at) => usageEvent({ account_id: actor.userId, at, latency_us: 1_000 + (at.getTime() % 977) })),
    )
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
    for (const period of ['24h', '30d'] as const) {
      const { rows, total, series, period: shown } = await showUsageBreakdown(deps, actor, { period, groupBy: 'hour' })
      const inside = times.filter((time) => time >= new Date(shown.from))
      const expected = Map.groupBy(inside, (time) => clock.format(time))
      expect(rows.map(({ key, total: count }) => [key, count])).toEqual(
        [...expected].map(([key, found]) => [key, found.length]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      )
      expect(rows.every(({ latency_ms }) => latency_ms !== null)).toBe(true)
      expect(total).toBe(inside.length)
      expect(series.reduce((sum, point) => sum + point.total, 0)).toBe(total)
    }
  },
)

test('a row is a network, ordered by requests, to the minute of a range and by key and route', async () => {
  const actor = { ...someUser({ tier: 'pro' }), timeZone: 'Asia/Kathmandu' }
  const networks = ['192.0.2.0/24', '198.51.100.0/24', '2001:db8:1::/48']
  const keys = [crypto.randomUUID(), 'session']
  const events = Array.from({ length: 600 }, (_, n) => {
    const network = networks[n % 7 === 0 ? 2 : n % 3 === 0 ? 1 : 0] ?? ''
    const usage = { account_id: actor.userId, at: ago(n * 0.0617), network, key_id: keys[n % 2] ?? '' }
    return n % 5 === 0 ? deniedUsageEvent(usage) : usageEvent({ ...usage, route: n % 4 === 0 ? '/a' : '/b' })
  })
  await record(events.slice(0, 400))
  await record(events.slice(200))
  for (const query of [
    { period: '1h' },
    { period: '24h' },
    { period: '30d', apiKeyId: 'session' },
    { period: '30d', route: '/a' },
    { from: '2026-11-04T07:08:00Z', to: '2026-11-05T09:11:00Z' },
  ] as const) {
    const report = await showUsageBreakdown(deps, actor, { ...query, groupBy: 'network' })
    const inside = events.filter(({ time, data }) => {
      const isInside =
        time >= new Date(report.period.from).toISOString() && time < new Date(report.period.to).toISOString()
      const isLast = time === NOW.toISOString() && report.period.to.startsWith(time.slice(0, 10))
      const isSelected =
        (!('route' in query) || data.route === query.route) &&
        (!('apiKeyId' in query) || data.key_id === query.apiKeyId)
      return (isInside || (isLast && !('to' in query))) && isSelected
    })
    const expected = Map.groupBy(inside, ({ data }) => data.network)
    expect(Object.fromEntries(report.rows.map(({ key, total, denied }) => [key, { total, denied }]))).toEqual(
      Object.fromEntries(
        [...expected].map(([network, found]) => [
          network,
          { total: found.length, denied: found.filter(({ data }) => data.outcome === 'denied').length },
        ]),
      ),
    )
    expect(report.rows.map(({ total }) => total)).toEqual(
      report.rows.map(({ total }) => total).toSorted((a, b) => b - a),
    )
    expect(report.total).toBe(inside.length)
  }
})

test('hours and networks need advanced analytics; counts and the series do not', async () => {
  const actor = someUser({ tier: 'basic' })
  await record([usageEvent({ account_id: actor.userId, at: ago(1) })])
  for (const groupBy of ['hour', 'network'] as const) {
    const report = await showUsageBreakdown(deps, actor, { groupBy })
    expect(report).toMatchObject({ total: 1, rows: [], locked: [{ feature: 'advancedAnalytics', tier: 'pro' }] })
    expect(report.latency_ms).not.toBeNull()
  }
})
