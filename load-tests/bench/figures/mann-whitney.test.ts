import { expect, test } from 'vitest'
import { mannWhitneyP } from './mann-whitney.ts'

const range = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, n) => from + n * step)

test('samples of equal values do not differ, disjoint samples do', () => {
  expect(mannWhitneyP(range(0, 50), range(0, 50))).toBeCloseTo(1, 5)
  expect(mannWhitneyP(range(0, 50), range(100, 50))).toBeLessThan(1e-10)
  expect(
    mannWhitneyP(
      range(0, 30).map(() => 1),
      range(0, 30).map(() => 1),
    ),
  ).toBe(1)
})

test('a shift by a fifth of the range is detected with 500 pairs, not with 20', () => {
  expect(mannWhitneyP(range(0, 500), range(100, 500))).toBeLessThan(1e-6)
  expect(mannWhitneyP(range(0, 20), range(4, 20))).toBeCloseTo(0.05129, 5)
})
