import type { UserActor } from '@tapeline/contracts/actor'
import type { DashboardMetricsQuery } from '@tapeline/contracts/audit/http'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import type { Deps } from '../deps.ts'
import { testIds } from '../../test/ids.fixture.ts'
import { unavailableLimiter } from '../../test/limiter.fixture.ts'
import { migrations } from '../migrations/all.ts'
import { recorded } from '../../test/record-events.fixture.ts'
import { showDashboardMetrics } from './show-dashboard-metrics.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
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
const MINUTE_MS = 60_000

const show = (actor: UserActor, query: DashboardMetricsQuery) => showDashboardMetrics(deps, actor, query)

async function used(accountId: string, times: readonly Date[]): Promise<void> {
  const events = times.map((at) => usageEvent({ account_id: accountId, at }))
  await recorded(db, events)
}

test.each([
  ['2026-11-05T08:07:00Z', '2026-11-05T09:31:00Z', 'minute', 84],
  ['2026-11-03T22:47:00Z', '2026-11-05T09:13:00Z', 'hour', 35],
  ['2026-10-14T03:21:00+05:30', '2026-11-05T10:20:00Z', 'day', 23],
] as const)('from %s to %s is read to the minute', async (from, to, bucket, count) => {
  const actor = { ...someUser({ tier: 'pro' }), timeZone: 'Asia/Kathmandu' }
  const edges = [new Date(from), new Date(to)].flatMap((edge) =>
    [-1, 0, 1].map((ms) => new Date(edge.getTime() + ms)).concat(new Date(edge.getTime() - 17 * MINUTE_MS)),
  )
  await used(actor.userId, edges)
  const report = await show(actor, { from, to })
  const inside = edges.filter((time) => time >= new Date(from) && time < new Date(to))
  expect(report).toMatchObject({ total: inside.length, period: { bucket, tz: 'Asia/Kathmandu' } })
  expect(report.series).toHaveLength(count)
  expect(report.series.reduce((sum, { total }) => sum + total, 0)).toBe(inside.length)
  expect([report.series[0]?.from, report.series.at(-1)?.to].map((time) => Date.parse(time ?? ''))).toEqual(
    [from, to].map((time) => Date.parse(time)),
  )
})

test('a range without an end lasts until now, and partial minutes count as whole ones', async () => {
  const actor = someUser({ tier: 'pro' })
  await used(actor.userId, [NOW, new Date('2026-11-05T10:18:00.000Z')])
  const report = await show(actor, { from: '2026-11-05T10:18:59.999Z' })
  expect(report).toMatchObject({ total: 2, period: { from: '2026-11-05T10:18:00.000+00:00' } })
  expect(Date.parse(report.period.to)).toBe(NOW.getTime())
})

test.each([
  [{ to: '2026-11-05T10:00:00Z' }, '/from'],
  [{ period: '7d', from: '2026-11-05T10:00:00Z' }, '/period'],
  [{ from: '2026-11-05T10:00:00Z', to: '2026-11-05T10:00:00Z' }, '/to'],
  [{ from: '2026-11-05T10:00:00Z', to: '2026-11-04T10:00:00Z' }, '/to'],
  [{ from: '2026-11-05T10:00:00Z', to: '2026-11-05T10:23:00Z' }, '/to'],
  [{ from: '2026-11-05T10:00:00Z', to: '2016-12-31T23:59:60Z' }, '/to'],
  [{ from: '2026-08-07T10:00:00Z' }, '/from'],
  [{ from: '2026-11-06T10:00:00Z' }, '/to'],
] as const)('%j is rejected with the field', async (query, field) => {
  await expect(show(someUser(), query)).rejects.toMatchObject({ code: 'period.invalid', errors: [{ field }] })
})

test('the longest range is 90 days, also with a longer retention', async () => {
  const long = { ...deps, retention: { rowDays: 400 } }
  const actor = someUser({ tier: 'pro' })
  const [from, to] = ['2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z']
  expect((await showDashboardMetrics(long, actor, { from, to })).series).toHaveLength(90)
  await expect(showDashboardMetrics(long, actor, { from, to: '2026-04-01T00:01:00Z' })).rejects.toMatchObject({
    errors: [{ field: '/to' }],
  })
})

test('a tier without custom ranges gets the default period and a `locked` entry', async () => {
  const actor = someUser({ tier: 'basic' })
  const report = await show(actor, { from: '2026-11-05T08:00:00Z', to: '2026-11-05T09:00:00Z' })
  expect(report.period).toMatchObject({ from: '2026-10-29T10:20:00.000+00:00', bucket: 'hour' })
  expect(report.locked).toEqual([{ feature: 'advancedAnalytics', tier: 'pro' }])
})

test.each(['1h', '24h', '7d', '30d', '90d', 'custom'] as const)(
  'the period before %s contains none of the period’s requests',
  async (period) => {
    const actor = { ...someUser({ tier: 'pro' }), timeZone: 'America/New_York' }
    const minutesAgo = Array.from({ length: 200 }, (_, n) => (n < 180 ? n * 19.7 : (n - 177) * 9 * 1_440 + n))
    const times = minutesAgo.map((minutes) => new Date(NOW.getTime() - minutes * MINUTE_MS))
    await used(actor.userId, times)
    const custom = { from: '2026-11-01T04:00:00Z', to: '2026-11-03T05:00:00Z' }
    const { previous, period: shown } = await show(actor, period === 'custom' ? custom : { period })
    const [from, to] = [Date.parse(previous?.from ?? ''), Date.parse(previous?.to ?? '')]
    expect(previous?.total).toBe(times.filter((time) => time.getTime() >= from && time.getTime() < to).length)
    const [shownFrom, shownTo] = [Date.parse(shown.from), Date.parse(shown.to)]
    expect(to).toBeLessThanOrEqual(shownFrom)
    // A clock change of one hour, and rounding down to a minute.
    expect(Math.abs(to - from - (shownTo - shownFrom))).toBeLessThanOrEqual(60 * MINUTE_MS + 60_000)
    expect(previous?.latency_ms === null).toBe(previous?.total === 0)
  },
)

test('the previous period is part of basic analytics', async () => {
  expect((await show(someUser({ tier: 'free' }), {})).previous).toBeNull()
  expect((await show(someUser({ tier: 'basic' }), {})).previous).toMatchObject({ total: 0, latency_ms: null })
})
