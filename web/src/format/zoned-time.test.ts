import { expect, test } from 'vitest'
import { clockOf, momentOf } from './zoned-time.ts'

test.each([
  ['2026-11-20T14:05', 'UTC', '2026-11-20T14:05:00.000Z'],
  ['2026-11-20T14:05', 'America/New_York', '2026-11-20T19:05:00.000Z'],
  // The days around the changes from and to daylight saving time.
  ['2026-10-31T23:00', 'America/New_York', '2026-11-01T03:00:00.000Z'],
  ['2026-11-01T03:00', 'America/New_York', '2026-11-01T08:00:00.000Z'],
  ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['2026-11-20T00:30', 'Asia/Kolkata', '2026-11-19T19:00:00.000Z'],
  // A year that is being typed.
  ['0002-11-26T20:05', 'UTC', '0002-11-26T20:05:00.000Z'],
])('%s in %s is %s, and back', (clock, timeZone, moment) => {
  expect(momentOf(clock, timeZone)).toBe(moment)
  expect(clockOf(moment, timeZone)).toBe(clock)
})

test('an invalid time is undefined', () => {
  expect([momentOf('', 'UTC'), momentOf('2026-13-01T00:00', 'UTC')]).toEqual([undefined, undefined])
})
