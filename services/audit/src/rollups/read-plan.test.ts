import { PERIODS } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { periodBuckets } from '../reports/period-buckets.ts'
import { readPlan } from './read-plan.ts'
import { LEVEL_MS, LEVELS } from './roll-up.ts'

const at = (text: string) => Date.parse(`2026-03-${text}Z`)

test('whole days are read as days, the rest as hours, quarters and minutes', () => {
  const plan = readPlan([at('01T22:30'), at('04T01:17')])
  expect(plan.day).toEqual([{ fromMs: at('02T00:00'), toMs: at('04T00:00') }])
  expect(plan.hour).toEqual([
    { fromMs: at('01T23:00'), toMs: at('02T00:00') },
    { fromMs: at('04T00:00'), toMs: at('04T01:00') },
  ])
  expect(plan.quarter_hour).toEqual([
    { fromMs: at('01T22:30'), toMs: at('01T23:00') },
    { fromMs: at('04T01:00'), toMs: at('04T01:15') },
  ])
  expect(plan.minute).toEqual([{ fromMs: at('04T01:15'), toMs: at('04T01:17') }])
})

test.each(['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/London'])(
  'in %s every minute of a period is read once, and no row crosses the edge of a bucket',
  (timeZone) => {
    for (const period of PERIODS) {
      const { starts, end } = periodBuckets(period, timeZone, new Date('2026-11-05T10:20:30Z'))
      const edges = [...starts, end].map(({ epochMilliseconds }) => epochMilliseconds)
      const plan = readPlan(edges)
      const ranges = LEVELS.flatMap((level) => plan[level].map((range) => ({ ...range, level })))
      const inOrder = ranges.toSorted((a, b) => a.fromMs - b.fromMs)
      expect(inOrder[0]?.fromMs).toBe(edges[0])
      expect(inOrder.at(-1)?.toMs).toBe(edges.at(-1))
      expect(inOrder.every(({ fromMs }, n) => n === 0 || fromMs === inOrder[n - 1]?.toMs)).toBe(true)
      for (const { fromMs, toMs, level } of ranges) {
        const inside = edges.filter((edge) => edge > fromMs && edge < toMs)
        expect([fromMs, toMs, ...inside].every((edge) => edge % LEVEL_MS[level] === 0)).toBe(true)
      }
    }
  },
)
