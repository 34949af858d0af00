import { expect, test } from 'vitest'
import { maxOverlap, mostInWindow } from './most-in-window.ts'

test.each([
  [[], 1000, 0],
  [[0, 1, 2], 1000, 3],
  [[0, 999, 1000], 1000, 2],
  [[1000, 0, 500, 1500, 1999], 1000, 3],
])('the largest number of %j in one window', (times, windowMs, most) => {
  expect(mostInWindow(times, windowMs)).toBe(most)
})

test('adjacent spans do not overlap', () => {
  const spans = [
    { fromMs: 0, toMs: 10 },
    { fromMs: 10, toMs: 20 },
    { fromMs: 5, toMs: 12 },
  ]
  expect(maxOverlap(spans)).toBe(2)
})
