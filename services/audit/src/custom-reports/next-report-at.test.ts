import { expect, test } from 'vitest'
import { nextReportAt } from './next-report-at.ts'

const MONDAY = 1
const SUNDAY = 7

test.each([
  ['the same day, later', [MONDAY, 8], 'UTC', ['2026-03-09T07:59:59.999Z', '2026-03-09T08:00:00.000Z']],
  ['the moment itself is over', [MONDAY, 8], 'UTC', ['2026-03-09T08:00:00Z', '2026-03-16T08:00:00.000Z']],
  ['west of UTC', [MONDAY, 20], 'America/New_York', ['2026-01-12T12:00:00Z', '2026-01-13T01:00:00.000Z']],
  ['east of UTC', [MONDAY, 0], 'Asia/Tokyo', ['2026-01-11T14:00:00Z', '2026-01-11T15:00:00.000Z']],
  ['before summer time', [MONDAY, 8], 'Europe/Paris', ['2026-03-22T00:00:00Z', '2026-03-23T07:00:00.000Z']],
  ['in summer time', [MONDAY, 8], 'Europe/Paris', ['2026-03-23T07:00:00Z', '2026-03-30T06:00:00.000Z']],
  ['a skipped hour', [SUNDAY, 2], 'Europe/Paris', ['2026-03-28T00:00:00Z', '2026-03-29T01:00:00.000Z']],
  ['a repeated hour', [SUNDAY, 2], 'Europe/Paris', ['2026-10-24T00:00:00Z', '2026-10-25T00:00:00.000Z']],
  ['once in a repeated hour', [SUNDAY, 2], 'Europe/Paris', ['2026-10-25T00:00:00Z', '2026-11-01T01:00:00.000Z']],
] as const)('%s', (_, [weekday, hour], timeZone, [after, next]) => {
  expect(nextReportAt({ weekday, hour }, timeZone, new Date(after)).toISOString()).toBe(next)
})
