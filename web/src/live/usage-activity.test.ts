import { beforeEach, expect, test, vi } from 'vitest'

const EVERY_MS = 5_000

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['performance'] })
  return () => void vi.useRealTimers()
})

/** A new page, and the interval of a query that polls every five seconds. */
async function open() {
  const { QUIET_REFETCH_MS, refetchEvery, usageMayChange } = await import('./usage-activity.ts')
  return { quietMs: QUIET_REFETCH_MS, interval: refetchEvery(EVERY_MS), usageMayChange }
}

test('without a stream, pages keep polling', async () => {
  const { interval } = await open()
  vi.advanceTimersByTime(600_000)
  expect(interval()).toBe(EVERY_MS)
})

test('pages poll less often 90 s after the stream has opened or reported usage', async () => {
  const { quietMs, interval, usageMayChange } = await open()
  expect(usageMayChange(true)).toBe(false)
  vi.advanceTimersByTime(90_000)
  expect(interval()).toBe(EVERY_MS)
  expect(usageMayChange()).toBe(false)
  vi.advanceTimersByTime(90_000)
  expect(interval()).toBe(EVERY_MS)
  vi.advanceTimersByTime(1)
  expect(interval()).toBe(quietMs)
})

test('a first report of usage, and a lost stream, end the quiet', async () => {
  const { quietMs, interval, usageMayChange } = await open()
  usageMayChange(true)
  vi.advanceTimersByTime(90_001)
  expect(usageMayChange(true)).toBe(false)
  expect(interval()).toBe(quietMs)
  expect(usageMayChange()).toBe(true)
  expect(interval()).toBe(EVERY_MS)
  vi.advanceTimersByTime(90_001)
  expect(usageMayChange(false)).toBe(true)
  expect(interval()).toBe(EVERY_MS)
  expect(usageMayChange(false)).toBe(false)
})
