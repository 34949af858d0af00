import { expect, test } from 'vitest'
import { createUsageActivity, QUIET_REFETCH_MS } from './usage-activity.ts'

const EVERY_MS = 5_000

/** An activity with a clock of its own, and the interval of a query that polls every five seconds. */
function start() {
  let nowMs = 1_000
  const activity = createUsageActivity(() => nowMs)
  return { activity, interval: activity.refetchEvery(EVERY_MS), pass: (ms: number) => void (nowMs += ms) }
}

test('without a stream, pages keep polling', () => {
  const { interval, pass } = start()
  pass(600_000)
  expect(interval()).toBe(EVERY_MS)
})

test('pages poll less often 90 s after the stream has connected or reported usage', () => {
  const { activity, interval, pass } = start()
  expect(activity.onConnected(true)).toBe(false)
  pass(90_000)
  expect(interval()).toBe(EVERY_MS)
  expect(activity.onUsage()).toBe(false)
  pass(90_000)
  expect(interval()).toBe(EVERY_MS)
  pass(1)
  expect(interval()).toBe(QUIET_REFETCH_MS)
})

test('a first report of usage, and a lost stream, end the quiet', () => {
  const { activity, interval, pass } = start()
  activity.onConnected(true)
  pass(90_001)
  expect(activity.onConnected(true)).toBe(false)
  expect(interval()).toBe(QUIET_REFETCH_MS)
  expect(activity.onUsage()).toBe(true)
  expect(interval()).toBe(EVERY_MS)
  pass(90_001)
  expect(activity.onConnected(false)).toBe(true)
  expect(interval()).toBe(EVERY_MS)
  expect(activity.onConnected(false)).toBe(false)
})
