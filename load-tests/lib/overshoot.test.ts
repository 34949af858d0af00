import { expect, test } from 'vitest'
import { readLimits, rollingOf, usedOf } from './limit-headers.ts'
import { overshootsOf } from './overshoot.ts'

const POLICY = '"burst";q=5;w=1, "min";q=10;w=60, "month";q=1000;w=2592000, "conc";q=1;qu="concurrent-requests"'
const STATE = '"burst";r=3;t=1, "min";r=0;t=42, "month";r=12;t=7, "conc";r=0'
const at = (...times: number[]) => times.map((ms) => ({ fromMs: ms, toMs: ms }))
const burst = (limit: number) => [{ policy: 'burst', limit, windowMs: 1_000 }]

test('parses the limits of an answer', () => {
  const limits = readLimits(POLICY, STATE)
  expect(limits.map(({ policy, limit, remaining }) => [policy, limit, remaining])).toEqual([
    ['burst', 5, 3],
    ['min', 10, 0],
    ['month', 1000, 12],
    ['conc', 1, 0],
  ])
  expect(usedOf(limits, 'burst')).toBe(2)
  expect(usedOf(limits, 'hour')).toBeUndefined()
  expect(rollingOf(limits)).toEqual([
    { policy: 'burst', limit: 5, windowMs: 1_000 },
    { policy: 'min', limit: 10, windowMs: 60_000 },
  ])
})

test('a policy without a state does not count as used up', () => {
  expect(usedOf(readLimits(POLICY, '"burst";r=3;t=1'), 'min')).toBeUndefined()
  expect(readLimits(undefined, undefined)).toEqual([])
})

test('one request more than the limit within a window is detected, wherever the window begins', () => {
  const [found] = overshootsOf(at(0, 900, 1_100, 1_500, 1_899), burst(3))
  expect(found).toMatchObject({ most: 4, over: 1 })
})

test('a request exactly one window later belongs to the next window', () => {
  const [found] = overshootsOf(at(0, 1_000, 2_000), burst(1))
  expect(found).toMatchObject({ most: 1, over: 0 })
})

test('a request answered after the window may have been decided after it', () => {
  const slow = [
    { fromMs: 0, toMs: 10 },
    { fromMs: 990, toMs: 1_010 },
  ]
  expect(overshootsOf([...slow, { fromMs: 3_000, toMs: 3_000 }], burst(1))[0]).toMatchObject({ most: 1, over: 0 })
  expect(overshootsOf(slow.concat(at(5)), burst(1))[0]).toMatchObject({ most: 2, over: 1 })
})

test('a load shorter than the window lies within one window', () => {
  const day = [{ policy: 'day', limit: 3, windowMs: 86_400_000 }]
  expect(overshootsOf(at(5, 1, 3, 2), day)[0]).toMatchObject({ most: 4, over: 1 })
  expect(overshootsOf([], day)[0]).toMatchObject({ most: 0, over: 0 })
})
