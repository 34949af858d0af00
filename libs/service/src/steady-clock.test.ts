import { expect, test } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'

const clocks = { wall: 1_000_000_000, steady: 1_000_000_000 }
const now = createSteadyClock({ wallMs: () => clocks.wall, steadyMs: () => clocks.steady })
function pass(ms: number, jumpMs = 0): number {
  clocks.wall += ms + jumpMs
  clocks.steady += ms
  return now()
}

test('time continues when the clock is set back by two minutes and forward again', () => {
  expect(pass(1_000)).toBe(1_000_001_000)
  expect(pass(1_000, -120_000)).toBe(1_000_002_000)
  expect(pass(60_000)).toBe(1_000_062_000)
  expect(pass(1_000, 120_000)).toBe(1_000_063_000)
})

test('a clock set forward is followed: expiries only happen earlier', () => {
  expect(pass(0, 120_000)).toBe(1_000_183_000)
  expect(pass(0, -120_000)).toBe(1_000_063_000)
})

test('a clock that was hours ahead is corrected', () => {
  expect(pass(0, -7_200_000)).toBe(1_000_063_000 - 7_200_000)
})
