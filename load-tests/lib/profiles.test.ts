import { expect, test } from 'vitest'
import { arrivalRate, PROFILES, secondsOf } from './profiles.ts'
import { sliceAt, slicesOf } from './slices.ts'
import { DATA_LATENCIES, figuresOf, thresholdsOf } from './thresholds.ts'

const PACE = { perSecond: 20, iterationSeconds: 2 }
const perSecond = (target: number) => target / 10

test('average sends the base rate for three minutes, on schedule', () => {
  const { executor, startRate, stages, timeUnit } = arrivalRate('average', PACE)
  expect({ executor, timeUnit }).toEqual({ executor: 'ramping-arrival-rate', timeUnit: '10s' })
  expect(perSecond(startRate)).toBe(20)
  expect(stages).toEqual([{ duration: '180s', target: 200 }])
})

test('stress reaches 1.5 times, then twice the base rate; spike ten times within ten seconds; soak stays at 60 %', () => {
  const targets = (profile: 'stress' | 'spike' | 'soak') =>
    arrivalRate(profile, PACE).stages.map(({ target }) => perSecond(target))
  expect(targets('stress')).toEqual([30, 30, 40, 40, 20])
  expect(targets('spike')).toEqual([20, 200, 200, 20, 20])
  expect(arrivalRate('spike', PACE).stages[1]?.duration).toBe('10s')
  expect(targets('soak')).toEqual([12])
})

test('there are enough clients for the highest rate of the profile with slow iterations', () => {
  expect(arrivalRate('average', PACE).preAllocatedVUs).toBeGreaterThanOrEqual(20 * 2)
  expect(arrivalRate('spike', PACE).preAllocatedVUs).toBeGreaterThanOrEqual(200 * 2)
})

test('rates below one per second are possible, but never zero', () => {
  expect(perSecond(arrivalRate('smoke', { perSecond: 0.2, iterationSeconds: 1 }).startRate)).toBe(0.5)
})

test('another duration scales the steps in proportion', () => {
  const { stages } = arrivalRate('stress', PACE, { seconds: 18 })
  expect(stages.map(({ duration }) => duration)).toEqual(['2s', '6s', '2s', '6s', '2s'])
  expect(secondsOf('stress', { seconds: 18 })).toBe(18)
})

test('a load has at most 24 slices, and late requests belong to the last one', () => {
  for (const profile of PROFILES) {
    const slices = slicesOf(secondsOf(profile))
    expect(slices.count).toBeLessThanOrEqual(24)
    expect(slices.count * slices.seconds).toBeGreaterThanOrEqual(secondsOf(profile))
    expect(sliceAt(slices, 1_000_000_000)).toBe(sliceAt(slices, secondsOf(profile) * 1_000 - 1))
  }
  expect(sliceAt({ count: 6, seconds: 5 }, 5_000)).toBe('01')
})

test('in every profile but breakpoint, dropped iterations, overshoots and failed checks violate a threshold', () => {
  for (const profile of PROFILES.filter((one) => one !== 'breakpoint')) {
    const thresholds = thresholdsOf(profile, DATA_LATENCIES)
    expect(thresholds).toMatchObject({
      dropped_iterations: ['count==0'],
      limiter_overshoot: ['count==0'],
      checks: ['rate==1'],
    })
    expect(Object.keys(thresholds)).toContain('http_req_duration{tier:free}')
  }
})

test('breakpoint ends with the first violated threshold, and never permits an overshoot', () => {
  const { limiter_overshoot: overshoot, ...others } = thresholdsOf('breakpoint', DATA_LATENCIES)
  expect(overshoot).toEqual(['count==0'])
  for (const rule of Object.values(others).flat()) expect(rule).toMatchObject({ abortOnFail: true })
})

test('higher tiers have lower latency limits', () => {
  const { free, basic, pro } = DATA_LATENCIES
  expect(pro?.p99).toBeLessThan(basic?.p99 ?? 0)
  expect(basic?.p99).toBeLessThan(free?.p99 ?? 0)
})

test('every slice has figures of its own', () => {
  expect(Object.keys(figuresOf({ count: 2, seconds: 5 }))).toEqual([
    'http_req_duration{slice:00}',
    'http_req_failed{slice:00}',
    'http_req_duration{slice:01}',
    'http_req_failed{slice:01}',
  ])
})
