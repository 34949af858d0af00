import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import { expect, test } from 'vitest'
import { bandPath, forecastScale, likelyPoints, linePath, usedPoints } from './forecast-scale.ts'

const forecast = (fields: Partial<UsageForecast> = {}): UsageForecast => ({
  as_of: '2026-03-13T00:00:00.000Z',
  month: { from: '2026-03-03T00:00:00.000Z', to: '2026-03-23T00:00:00.000Z' },
  used: 500,
  limit: 1_000,
  history: { days: 28, days_needed: 7, days_left_out: 0 },
  end: { likely: 1_000, low: 900, high: 1_100 },
  confidence: 0.8,
  used_up: null,
  series: [
    { at: '2026-03-13T00:00:00.000Z', used: 500, likely: null, low: null, high: null },
    { at: '2026-03-23T00:00:00.000Z', used: null, likely: 1_000, low: 900, high: 1_100 },
  ],
  needed: [],
  plans: [],
  fitting: null,
  ...fields,
})

test('the month spans the plot, and the highest value lies below its top', () => {
  const scale = forecastScale(forecast())
  expect([scale.x('2026-03-03T00:00:00.000Z'), scale.x('2026-03-13T00:00:00.000Z')]).toEqual([0, 50])
  expect(scale.y(0)).toBe(100)
  expect(scale.y(1_155)).toBeCloseTo(0)
  expect(scale.grid).toEqual([0, 500, 1_000])
})

test('a limit far above the lines is not plotted', () => {
  expect(forecastScale(forecast({ limit: 2_700 })).showsLimit).toBe(true)
  expect(forecastScale(forecast({ limit: 2_800 })).showsLimit).toBe(false)
})

test('lines meet at the moment of the forecast', () => {
  const scale = forecastScale(forecast())
  expect(linePath(usedPoints(forecast()), scale)).toBe('M0.00 100.00L50.00 56.71')
  expect(linePath(likelyPoints(forecast()), scale)).toBe('M50.00 56.71L100.00 13.42')
  expect(bandPath(forecast(), scale)).toBe('M50.00 56.71L100.00 4.76L100.00 22.08Z')
})

test('without enough history there is no band', () => {
  const young = forecast({ end: null, series: [] })
  expect(bandPath(young, forecastScale(young))).toBe('')
})
