import { PERIODS } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { isPartial, periodBuckets, previousPeriod, rfc3339 } from './period-buckets.ts'

const hoursOf = (timeZone: string, now: string) => {
  const { starts, end } = periodBuckets('30d', timeZone, new Date(now))
  const edges = [...starts, end]
  // Only the whole days: the first and the last are cut at the time of day of `now`.
  return starts.slice(1, -1).map((start, n) => start.until(edges[n + 2] ?? start).total('hours'))
}

test.each([
  ['1h', 61, '2026-03-10T11:34:00.000+00:00', '2026-03-10T12:34:00.000+00:00'],
  ['24h', 25, '2026-03-09T12:34:00.000+00:00', '2026-03-10T12:00:00.000+00:00'],
  ['7d', 169, '2026-03-03T12:34:00.000+00:00', '2026-03-10T12:00:00.000+00:00'],
  ['30d', 31, '2026-02-08T12:34:00.000+00:00', '2026-03-10T00:00:00.000+00:00'],
  ['90d', 91, '2025-12-10T12:34:00.000+00:00', '2026-03-10T00:00:00.000+00:00'],
] as const)('%s begins its length before the current minute and has %i buckets', (period, count, first, last) => {
  const buckets = periodBuckets(period, 'UTC', new Date('2026-03-10T12:34:56.789Z'))
  const { starts } = buckets
  expect(starts).toHaveLength(count)
  expect([starts.at(0), starts.at(-1)].map((start) => start && rfc3339(start))).toEqual([first, last])
  const partial = starts.flatMap((_start, n) => (isPartial(buckets, n) ? [n] : []))
  expect(partial).toEqual(period === '1h' ? [count - 1] : [0, count - 1])
})

test('a range of whole hours has no partial bucket', () => {
  const range = { from: new Date('2026-03-10T01:00:00Z'), to: new Date('2026-03-10T11:00:00Z') }
  const buckets = periodBuckets(range, 'UTC', new Date('2026-03-10T12:34:56.789Z'))
  expect(buckets.starts).toHaveLength(10)
  expect(buckets.starts.some((_start, n) => isPartial(buckets, n))).toBe(false)
})

test('the previous period ends where the period begins', () => {
  const buckets = periodBuckets('24h', 'UTC', new Date('2026-03-10T12:34:56.789Z'))
  const { from, to } = previousPeriod('24h', buckets)
  expect([from, to].map(rfc3339)).toEqual(['2026-03-08T12:34:00.000+00:00', '2026-03-09T12:34:00.000+00:00'])
})

test('a day in New York has 23 hours when the clocks go forward and 25 when they go back', () => {
  expect(hoursOf('America/New_York', '2026-03-20T12:00:00Z').filter((hours) => hours !== 24)).toEqual([23])
  expect(hoursOf('America/New_York', '2026-11-20T12:00:00Z').filter((hours) => hours !== 24)).toEqual([25])
})

test.each([
  ['Europe/London', '2026-04-10', 23],
  ['Europe/London', '2026-11-10', 25],
  ['America/St_Johns', '2026-03-20', 23],
  ['America/St_Johns', '2026-11-10', 25],
  ['Pacific/Chatham', '2026-10-10', 23],
  ['Pacific/Chatham', '2026-04-20', 25],
  ['Australia/Lord_Howe', '2026-10-20', 23.5],
  ['Australia/Lord_Howe', '2026-04-20', 24.5],
  ['Africa/Cairo', '2026-05-10', 23],
  ['Africa/Cairo', '2026-11-10', 25],
  ['Asia/Kathmandu', '2026-04-10', undefined],
  ['Asia/Kolkata', '2026-11-10', undefined],
])('in %s the whole days of the 30 before %s have one of %s hours', (timeZone, now, odd) => {
  const hours = hoursOf(timeZone, `${now}T12:00:00Z`)
  expect(hours.filter((one) => one !== 24)).toEqual(odd === undefined ? [] : [odd])
  expect(hours.length).toBeGreaterThanOrEqual(28)
})

test('hours are whole hours across a clock change', () => {
  const { starts } = periodBuckets('24h', 'Europe/London', new Date('2026-10-25T12:00:00Z'))
  const labels = starts.map(rfc3339)
  expect(labels.filter((label) => label.startsWith('2026-10-25T01:00'))).toEqual([
    '2026-10-25T01:00:00.000+01:00',
    '2026-10-25T01:00:00.000+00:00',
  ])
})

test('a day begins at local midnight, also in half-hour zones and where midnight does not exist', () => {
  const firstOf = (timeZone: string, now: string) =>
    periodBuckets('30d', timeZone, new Date(now)).starts.map(rfc3339).at(-1)
  expect(firstOf('Asia/Kolkata', '2026-03-10T18:31:00Z')).toBe('2026-03-11T00:00:00.000+05:30')
  expect(firstOf('Asia/Kolkata', '2026-03-10T18:29:00Z')).toBe('2026-03-10T00:00:00.000+05:30')
  expect(firstOf('Africa/Cairo', '2026-04-24T12:00:00Z')).toBe('2026-04-24T01:00:00.000+03:00')
})

test.each(['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'])(
  'buckets of %s are contiguous at any time',
  (timeZone) => {
    for (let step = 0; step < 60; step += 1) {
      const now = new Date(Date.UTC(2026, 2, 1) + step * 145.3 * 3_600_000)
      for (const period of PERIODS) {
        const { starts, end } = periodBuckets(period, timeZone, now)
        const edges = [...starts, end].map(({ epochMilliseconds }) => epochMilliseconds)
        expect(edges.every((edge, n) => n === 0 || edge > (edges[n - 1] ?? 0))).toBe(true)
        expect(edges.every((edge) => edge % 60_000 === 0)).toBe(true)
        expect((edges.at(-2) ?? 0) <= now.getTime() && now.getTime() < (edges.at(-1) ?? 0)).toBe(true)
      }
    }
  },
)

test('an unknown time zone falls back to UTC', () => {
  expect(periodBuckets('24h', 'Mars/Olympus', new Date()).timeZone).toBe('UTC')
})
