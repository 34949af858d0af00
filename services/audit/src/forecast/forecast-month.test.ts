import { expect, test } from 'vitest'
import { type Day, expect as expectRequests, fitModel, HISTORY_DAYS, reachedAt } from './forecast-month.ts'

const DAY_MS = 86_400_000
/** A Monday. */
const START_MS = Date.UTC(2026, 1, 2)
const NOW_MS = START_MS + HISTORY_DAYS * DAY_MS

function history(requestsOn: (day: number) => number, days = HISTORY_DAYS): Day[] {
  return Array.from({ length: days }, (_, n) => {
    const day = HISTORY_DAYS - days + n
    return { startMs: START_MS + day * DAY_MS, requests: requestsOn(day), isCapped: false }
  })
}
function fitted(days: readonly Day[]) {
  const model = fitModel(days)
  if (model === undefined) throw new Error('not enough history')
  return model
}
const isWeekend = (day: number): boolean => day % 7 >= 5

/** Uniform numbers from a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

test('a constant series is continued without a margin', () => {
  const model = fitted(history(() => 1_000))
  expect(expectRequests(model, NOW_MS, NOW_MS + 10 * DAY_MS)).toEqual({ likely: 10_000, low: 10_000, high: 10_000 })
  expect(expectRequests(model, NOW_MS + DAY_MS / 2, NOW_MS + DAY_MS).likely).toBe(500)
})

test('weekends count as weekends', () => {
  const model = fitted(history((day) => (isWeekend(day) ? 100 : 1_000)))
  expect(expectRequests(model, NOW_MS, NOW_MS + 7 * DAY_MS)).toEqual({ likely: 5_200, low: 5_200, high: 5_200 })
  expect(expectRequests(model, NOW_MS + 5 * DAY_MS, NOW_MS + 7 * DAY_MS).likely).toBe(200)
})

test('fewer than seven days with known demand give no forecast', () => {
  expect(fitModel(history(() => 1_000, 6))).toBeUndefined()
  expect(fitModel(history(() => 1_000, 7))).toBeDefined()
  const capped = history(() => 1_000, 8).map((day, n) => ({ ...day, isCapped: n < 2 }))
  expect(fitModel(capped)).toBeUndefined()
})

test('a day on which the month was used up does not lower the forecast', () => {
  const days = history((day) => (day === 20 ? 3 : 1_000)).map((day, n) => ({ ...day, isCapped: n === 20 }))
  expect(expectRequests(fitted(days), NOW_MS, NOW_MS + DAY_MS).likely).toBe(1_000)
})

test('the limit is reached at the hour in which the sum passes it', () => {
  const model = fitted(history(() => 2_400))
  const until = NOW_MS + 20 * DAY_MS
  expect(reachedAt({ model, end: 'likely' }, 2_400 * 5, [NOW_MS, until])).toBe(NOW_MS + 5 * DAY_MS)
  expect(reachedAt({ model, end: 'likely' }, 2_400 * 5 + 150, [NOW_MS, until])).toBe(
    NOW_MS + 5 * DAY_MS + 2 * 3_600_000,
  )
  expect(reachedAt({ model, end: 'likely' }, 2_400 * 21, [NOW_MS, until])).toBeUndefined()
  expect(reachedAt({ model, end: 'likely' }, 0, [NOW_MS, until])).toBe(NOW_MS)
})

const MONTHS = 2_000
const series = {
  'independent days': (random: () => number) => () => 1_000 * (0.5 + random()),
  'quiet weekends': (random: () => number) => (day: number) => (isWeekend(day) ? 200 : 1_000) * (0.5 + random()),
  'busy days that follow busy days': (random: () => number) => {
    let level = 0
    return () => {
      level = 0.5 * level + (random() - 0.5) * 600
      return Math.max(0, 2_000 + level)
    }
  },
  'a few large days': (random: () => number) => () => (random() < 0.15 ? 8_000 : 1_000) * (0.8 + 0.4 * random()),
}

test.each(Object.entries(series))('about eight of ten months of %s end within the range', (_name, make) => {
  let [inside, horizon] = [0, 14]
  for (let month = 0; month < MONTHS; month += 1) {
    const random = numbersFrom(month + 1)
    const requestsOn = make(random)
    const days = history(requestsOn)
    horizon = 3 + (month % 20)
    let total = 0
    for (let day = 0; day < horizon; day += 1) total += requestsOn(HISTORY_DAYS + day)
    const { low, high } = expectRequests(fitted(days), NOW_MS, NOW_MS + horizon * DAY_MS)
    if (total >= low && total <= high) inside += 1
  }
  expect(inside / MONTHS).toBeGreaterThan(0.74)
  expect(inside / MONTHS).toBeLessThan(0.88)
})
