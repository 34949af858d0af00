import { expect, test } from 'vitest'
import { monthPeriodAt } from './month-period.ts'

const at = (anchor: string, now: string) => {
  const { startS, endS, followingEndS } = monthPeriodAt(new Date(anchor), Date.parse(now))
  return [startS, endS, followingEndS].map((second) => new Date(second * 1_000).toISOString().slice(0, 10))
}

test.each([
  ['in the middle', '2026-01-10T08:00:00Z', '2026-03-20T00:00:00Z', ['2026-03-10', '2026-04-10', '2026-05-10']],
  ['before the day', '2026-01-10T08:00:00Z', '2026-03-09T23:59:59.999Z', ['2026-02-10', '2026-03-10', '2026-04-10']],
  ['at its first moment', '2026-01-10T23:00:00Z', '2026-03-10T00:00:00Z', ['2026-03-10', '2026-04-10', '2026-05-10']],
  ['31 in February', '2026-01-31T00:00:00Z', '2026-02-28T12:00:00Z', ['2026-02-28', '2026-03-31', '2026-04-30']],
  [
    '31 before the end of February',
    '2026-01-31T00:00:00Z',
    '2026-02-27T12:00:00Z',
    ['2026-01-31', '2026-02-28', '2026-03-31'],
  ],
  ['31 in a leap year', '2027-12-31T00:00:00Z', '2028-02-29T00:00:00Z', ['2028-02-29', '2028-03-31', '2028-04-30']],
  ['29 in a common year', '2028-02-29T00:00:00Z', '2029-03-01T00:00:00Z', ['2029-02-28', '2029-03-29', '2029-04-29']],
  ['30 in April', '2026-03-30T00:00:00Z', '2026-04-30T00:00:00Z', ['2026-04-30', '2026-05-30', '2026-06-30']],
  ['over the year', '2026-05-15T00:00:00Z', '2027-01-03T00:00:00Z', ['2026-12-15', '2027-01-15', '2027-02-15']],
])('a month begins on the anchor day, clamped to its length: %s', (_what, anchor, now, expected) => {
  expect(at(anchor, now)).toEqual(expected)
})
