import { PERIODS } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { edgesOf, periodBuckets } from './period-buckets.ts'
import { LEVEL_MS, LEVELS } from '../rollups/roll-up.ts'
import { seriesPlan } from './series-plan.ts'

const NOW = new Date('2026-11-05T10:20:30Z')
const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/St_Johns',
  'America/New_York',
  'Pacific/Auckland',
  'Pacific/Apia',
]
/** Contains the clock changes of the zones, two of them in Auckland. */
const CUSTOM = [
  { from: new Date('2026-08-20T01:17:00Z'), to: new Date('2026-11-05T10:21:00Z') },
  { from: new Date('2026-10-26T03:59:00Z'), to: new Date('2026-11-05T04:01:00Z') },
  { from: new Date('2026-09-20T11:30:00Z'), to: new Date('2026-10-05T12:30:00Z') },
]

test.each(ZONES)(
  'in %s each quarter of an hour counts once in its bucket, after additions and subtractions',
  (timeZone) => {
    for (const period of [...PERIODS, ...CUSTOM]) {
      const edges = edgesOf(periodBuckets(period, timeZone, NOW))
      const pieces = LEVELS.flatMap((level) => seriesPlan(edges)[level])
      const [from = 0, to = 0] = [edges[0], edges.at(-1)]
      const stepMs = to - from > 3 * LEVEL_MS.day ? LEVEL_MS.quarter_hour : LEVEL_MS.minute
      for (let timeMs = Math.ceil(from / stepMs) * stepMs; timeMs < to; timeMs += stepMs) {
        const counts = new Map<number, number>()
        const count = (bucket: number | undefined, by: 1 | -1) => {
          if (bucket !== undefined) counts.set(bucket, (counts.get(bucket) ?? 0) + by)
        }
        for (const { fromMs, toMs, addTo, takeFrom } of pieces) {
          if (timeMs < fromMs || timeMs >= toMs) continue
          count(addTo, 1)
          count(takeFrom, -1)
        }
        const counted = [...counts].filter(([, times]) => times !== 0)
        const bucket = edges.findLastIndex((edge) => edge <= timeMs)
        expect(counted, `${new Date(timeMs).toISOString()} of ${JSON.stringify(period)}`).toEqual([[bucket, 1]])
      }
    }
  },
)

test.each(ZONES)('in %s the pieces of a level are whole, in order, and do not overlap', (timeZone) => {
  for (const period of [...PERIODS, ...CUSTOM]) {
    const plan = seriesPlan(edgesOf(periodBuckets(period, timeZone, NOW)))
    for (const level of LEVELS) {
      plan[level].forEach(({ fromMs, toMs }, n) => {
        expect(fromMs).toBeGreaterThanOrEqual(plan[level][n - 1]?.toMs ?? 0)
        expect([fromMs % LEVEL_MS[level], toMs % LEVEL_MS[level]]).toEqual([0, 0])
      })
    }
  }
})

test('ninety days in New York need four or five hours per day, days, and minutes at both ends', () => {
  const { day, hour, quarter_hour, minute } = seriesPlan(edgesOf(periodBuckets('90d', 'America/New_York', NOW)))
  const hours = hour.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / LEVEL_MS.hour, 0)
  expect([...quarter_hour, ...minute].every(({ addTo }) => addTo === 0 || addTo === 90)).toBe(true)
  expect(quarter_hour.length + minute.length).toBeLessThanOrEqual(4)
  expect(hours).toBeLessThan(90 * 5)
  expect(day.length).toBeGreaterThanOrEqual(87)
})
