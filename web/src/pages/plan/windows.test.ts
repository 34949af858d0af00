import { expect, test } from 'vitest'
import { noticesOf, windowsOf } from './windows.ts'

const limits = {
  requestsPerMinute: 10,
  requestsPerHour: 100,
  requestsPerDay: 1_000,
  requestsPerMonth: 1_000,
  burstLimit: 5,
  concurrentRequests: 1,
}
const used = (policy: 'min' | 'hour' | 'day' | 'month', count: number) => ({
  scope: 'account' as const,
  policy,
  used: count,
})

test('every window has the limit of the plan, and usage only if the limiter reported it', () => {
  const windows = windowsOf(limits, [{ scope: 'key', policy: 'min', used: 3 }, used('hour', 50)])
  expect(windows.map(({ limit }) => limit)).toEqual([5, 10, 100, 1_000, 1_000, 1])
  expect(windows[2]).toEqual({ policy: 'hour', name: 'Per hour', limit: 100, used: 50, percent: 50 })
  expect(windows[1]).toMatchObject({ used: undefined, percent: undefined })
})

test('a notice from 70 percent on, the fullest window first; none for a full minute', () => {
  const windows = windowsOf(limits, [used('min', 10), used('hour', 69), used('day', 700), used('month', 1_000)])
  expect(noticesOf(windows)).toEqual([
    { text: 'The monthly limit is used up: requests are rejected until the next period begins.', isFull: true },
    { text: '70% of the limit per day is used.', isFull: false },
  ])
})
