import type { UsageReport } from '@tapeline/contracts/audit/http'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { seededRandom } from '@tapeline/testing/seeded-random'
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
const NOW = new Date('2026-11-05T10:20:30Z')
const MINUTE_MS = 60_000
const REACH_MINUTES = 3 * 1_440
const ERROR_MAX = 0.01
/** Rounding to seven digits. */
const ROUNDING = 1e-6
const deps: Deps = {
  db,
  now: () => NOW,
  ...testIds,
  retention: { rowDays: 90 },
  settings: fixedSettings(),
  limiter: unavailableLimiter,
  ownsKey: async () => true,
}

type Draw = (random: () => number) => number
const normal: Draw = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const DISTRIBUTIONS: { name: string; draw: Draw }[] = [
  { name: 'all the same', draw: () => 4_321 },
  { name: 'even', draw: (random) => 100 + random() * 50_000 },
  { name: 'log-normal', draw: (random) => Math.exp(8.3 + 1.2 * normal(random)) },
  { name: 'two peaks', draw: (random) => (random() < 0.93 ? 2_000 + 300 * random() : 900_000 + 90_000 * random()) },
  { name: 'a heavy tail', draw: (random) => 500 / (1 - random()) ** 1.5 },
  { name: 'a few microseconds', draw: (random) => 1 + random() * 30 },
]

test.each(DISTRIBUTIONS)(
  'with response times that are $name every percentile of any range is within one percent',
  async ({ draw }) => {
    const random = seededRandom(PROPERTY_SEED)
    const actor = { ...someUser({ tier: 'pro' }), timeZone: 'Asia/Kathmandu' }
    const routes = ['/a', '/b', '/c']
    const events = Array.from({ length: 1_500 }, () =>
      usageEvent({
        account_id: actor.userId,
        at: new Date(NOW.getTime() - Math.floor(random() * REACH_MINUTES * MINUTE_MS)),
        route: routes[Math.floor(random() * routes.length)] ?? '',
        latency_us: Math.min(86_400_000_000, Math.max(1, Math.ceil(draw(random)))),
      }),
    )
    for (let n = 0; n < events.length; n += 500) {
      await recorded(db, events.slice(n, n + 500))
    }
    for (let range = 0; range < 6; range += 1) {
      const ends = [random(), random()].map((share) => Math.floor(share * REACH_MINUTES)).toSorted((a, b) => a - b)
      const [to = 0, from = 0] = ends.map((minutes) => NOW.getTime() - 30_000 - minutes * MINUTE_MS)
      if (from === to) continue
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), groupBy: 'endpoint' as const }
      const report = await showUsageBreakdown(deps, actor, query)
      const inside = events.filter(({ time }) => Date.parse(time) >= from && Date.parse(time) < to)
      expectClose(report.latency_ms, latenciesOf(inside))
      for (const { key, latency_ms } of report.rows) {
        expectClose(latency_ms, latenciesOf(inside.filter(({ data }) => data.route === key)))
      }
      expectSeries(report.series, inside)
    }
    const { series } = await showUsageBreakdown(deps, actor, { period: '30d' })
    expectSeries(series, events)
  },
)

type Served = ReturnType<typeof usageEvent>
const latenciesOf = (chosen: readonly Served[]) =>
  chosen.map(({ data }) => data.latency_us / 1_000).toSorted((a, b) => a - b)

function expectSeries(series: UsageReport['series'], events: readonly Served[]): void {
  for (const { from, to, latency_ms } of series) {
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
    const inside = events.filter(({ time }) => Date.parse(time) >= fromMs && Date.parse(time) < toMs)
    expectClose(latency_ms, latenciesOf(inside))
  }
}

function expectClose(found: { p50: number; p95: number; p99: number } | null, exact: readonly number[]) {
  if (exact.length === 0) {
    expect(found).toBeNull()
    return
  }
  for (const [name, quantile] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const value = exact[Math.floor(quantile * (exact.length - 1))] ?? Number.NaN
    const error = Math.abs((found?.[name] ?? Number.NaN) - value) / value
    expect(error, `${name} of ${exact.length} values`).toBeLessThanOrEqual(ERROR_MAX + ROUNDING)
  }
}
