import type { UserActor } from '@tapeline/contracts/actor'
import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { testSubscription } from '../../test/plans.fixture.ts'
import { recorded } from '../../test/record-events.fixture.ts'
import { fitPlans } from './fitting-plan.ts'
import { showForecast } from './show-forecast.ts'

const { app, db, get, close } = await openTestApp('2026-03-13T00:00:00.000Z')
afterAll(close)
const NOW_MS = Date.parse('2026-03-13T00:00:00.000Z')
const DAY_MS = 86_400_000
const settings = fixedSettings()
Object.defineProperty(settings, 'tiers', { value: () => tierDocuments })
const deps = { db, settings, now: () => new Date(NOW_MS), readSubscription: testSubscription }

/** Requests of complete days before now, the last one first. */
async function use({ userId }: UserActor, perDay: readonly number[]): Promise<void> {
  const events = perDay.flatMap((count, day) =>
    Array.from({ length: count }, (_, n) =>
      usageEvent({ account_id: userId, at: new Date(NOW_MS - (day + 1) * DAY_MS + n * 60_000) }),
    ),
  )
  await recorded(db, events)
}

test('a steady account is continued day by day, and the day that uses the month up is named', async () => {
  const actor = someUser()
  await use(
    actor,
    Array.from({ length: 28 }, () => 40),
  )
  const forecast = await showForecast(deps, actor)
  expect(forecast).toMatchObject({
    month: { from: '2026-03-03T00:00:00.000Z', to: '2026-04-03T00:00:00.000Z' },
    used: 400,
    limit: 1_000,
    history: { days: 28, days_left_out: 0 },
    end: { likely: 1_240, low: 1_240, high: 1_240 },
    used_up: { likely: '2026-03-28T00:00:00.000Z' },
    fitting: 'basic',
  })
  expect(forecast.series.find(({ likely }) => likely !== null)).toMatchObject({
    at: '2026-03-14T00:00:00.000Z',
    likely: 440,
  })
  expect(forecast.series.at(-1)).toMatchObject({ at: '2026-04-03T00:00:00.000Z', likely: 1_240 })
  const used = forecast.series.flatMap((point) => (point.used === null ? [] : [point.used]))
  expect(used.slice(0, 3)).toEqual([40, 80, 120])
  expect(forecast.plans.map(({ tier, verdict }) => [tier, verdict])).toEqual([
    ['free', 'too_small'],
    ['basic', 'fits'],
    ['pro', 'fits'],
  ])
})

test('six days are not enough history, and no number is invented', async () => {
  const actor = someUser()
  await use(actor, [5, 5, 5, 5, 5, 5])
  const forecast: UsageForecast = await showForecast(deps, actor)
  expect(forecast).toMatchObject({ used: 30, end: null, used_up: null, fitting: null, history: { days: 6 } })
  expect(forecast.series.every(({ likely }) => likely === null)).toBe(true)
  expect(forecast.plans.every(({ verdict }) => verdict === 'unknown')).toBe(true)
})

test('days without requests since the first one are days of the history', async () => {
  const actor = someUser()
  await use(actor, [0, 0, 0, 0, 0, 0, 0, 0, 0, 28])
  expect(await showForecast(deps, actor)).toMatchObject({ history: { days: 10 }, used: 28 })
})

test('an account without requests has no forecast; another account is not part of it', async () => {
  expect(await showForecast(deps, someUser())).toMatchObject({ used: 0, end: null, history: { days: 0 } })
})

test('the call returns 503 while the plans are not available', async () => {
  const answer = await get(someUser(), 'usage-forecast')
  expect(answer.statusCode).toBe(503)
  expect(app.hasRoute({ method: 'GET', url: '/api/v1/internal/usage-forecast' })).toBe(true)
})

test('a plan is too small when a limit was reached, or exceeded, or the likely month does not fit', () => {
  const needed = (peak: number, reached = false) => [{ policy: 'min' as const, limit: 100, peak, reached }]
  const verdicts = (...[limits, end]: [ReturnType<typeof needed>, Parameters<typeof fitPlans>[2]]) =>
    fitPlans(tierDocuments, limits, end).map(({ verdict }) => verdict)
  const month = (likely: number, high: number) => ({ likely, high, low: 0 })
  expect(verdicts(needed(10), month(900, 1_000))).toEqual(['fits', 'fits', 'fits'])
  expect(verdicts(needed(10), month(900, 1_001))).toEqual(['may_be_small', 'fits', 'fits'])
  expect(verdicts(needed(11), month(900, 1_000))).toEqual(['too_small', 'fits', 'fits'])
  expect(verdicts(needed(100), month(900, 1_000))).toEqual(['too_small', 'fits', 'fits'])
  expect(verdicts(needed(100, true), month(900, 1_000))).toEqual(['too_small', 'too_small', 'fits'])
  expect(fitPlans(tierDocuments, needed(10), month(100_001, 100_001))[1]?.too_small).toEqual(['month'])
})
