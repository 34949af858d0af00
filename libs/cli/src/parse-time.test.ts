import { expect, test } from 'vitest'
import { parseTime } from './parse-time.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

test('durations count back from now; dates and times in UTC stay as they are', () => {
  expect(parseTime('90s', now)).toBe('2026-03-01T11:58:30.000Z')
  expect(parseTime('15m', now)).toBe('2026-03-01T11:45:00.000Z')
  expect(parseTime('2h', now)).toBe('2026-03-01T10:00:00.000Z')
  expect(parseTime('1d', now)).toBe('2026-02-28T12:00:00.000Z')
  expect(parseTime('now', now)).toBe('2026-03-01T12:00:00.000Z')
  expect(parseTime('2026-02-03', now)).toBe('2026-02-03T00:00:00Z')
  expect(parseTime('2026-02-03T04:05:06.123456789Z', now)).toBe('2026-02-03T04:05:06.123456789Z')
})

test('other texts are not times', () => {
  for (const text of ['', '5', '5 m', '-5m', '999999999d', '2026-02-30', '2026-02-03T04:05:06+01:00', 'yesterday']) {
    expect(parseTime(text, now), text).toBeUndefined()
  }
})
