import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import { expect, test } from 'vitest'
import { needsOf } from './needs.ts'

const forecast: UsageForecast = {
  as_of: '2026-11-20T12:00:00Z',
  month: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
  used: 4_078,
  limit: 1_000_000,
  history: { days: 0, days_needed: 7, days_left_out: 0 },
  end: null,
  confidence: 0.8,
  used_up: null,
  series: [],
  needed: [
    { policy: 'min', limit: 500, peak: 448, reached: false },
    { policy: 'conc', limit: 20, peak: 20, reached: true },
  ],
  plans: [{ tier: 'basic', verdict: 'too_small', too_small: ['min', 'conc'] }],
  fitting: null,
}

test('a limit is needed as high as its use, and perhaps higher where requests were rejected', () => {
  const needs = needsOf(forecast)
  expect([needs.of('requestsPerMinute'), needs.of('concurrentRequests')]).toEqual(['448', '≥ 20'])
  expect([needs.of('requestsPerDay'), needs.of('history')]).toEqual(['', ''])
})

test('the need of a month is its forecast, or without a forecast its usage', () => {
  expect(needsOf(forecast).of('requestsPerMonth')).toBe('4,078')
  const end = { likely: 9_000, low: 8_000, high: 10_000 }
  expect(needsOf({ ...forecast, end }).of('requestsPerMonth')).toBe('9,000')
})

test('a limit is too small if the forecast reports it for the plan', () => {
  const { isTooSmall } = needsOf(forecast)
  expect([isTooSmall('basic', 'requestsPerMinute'), isTooSmall('basic', 'requestsPerDay')]).toEqual([true, false])
  expect([isTooSmall('pro', 'requestsPerMinute'), isTooSmall('basic', 'history')]).toEqual([false, false])
})
