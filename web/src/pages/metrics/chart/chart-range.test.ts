import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { finerPeriods, fitRange } from './chart-range.ts'

const HOUR_MS = 3_600_000
const NONE = { total: 0, success: 0, failed: 0, denied: 0, client_errors: 0, server_errors: 0 }
const STARTED = Date.parse('2026-11-16T12:00:00Z')

function hours(totals: Record<number, number>, count = 168): UsagePoint[] {
  return Array.from({ length: count }, (_, n) => ({
    from: new Date(STARTED + n * HOUR_MS).toISOString(),
    to: new Date(STARTED + (n + 1) * HOUR_MS).toISOString(),
    partial: false,
    ...NONE,
    total: totals[n] ?? 0,
    success: totals[n] ?? 0,
    latency_ms: null,
  }))
}

test('the range contains 95 % of the requests, at any position, with a margin', () => {
  expect(fitRange(hours({ 160: 900, 161: 90, 10: 10 }))).toEqual({ first: 144, end: 168 })
  const past = fitRange(hours({ 50: 500, 55: 500 }))
  expect(past?.first).toBeLessThan(50)
  expect(past?.end).toBeGreaterThan(55)
  expect((past?.end ?? 0) - (past?.first ?? 0)).toBe(24)
  const early = fitRange(hours({ 0: 7 }))
  expect(early).toEqual({ first: 0, end: 24 })
})

test('5 % outside the range are allowed and 6 % are not', () => {
  expect(fitRange(hours({ 0: 5, 167: 95 }))).toEqual({ first: 144, end: 168 })
  expect(fitRange(hours({ 0: 6, 167: 94 }))).toBeUndefined()
})

test('traffic that fills the series, and a series without any, are shown whole', () => {
  expect(fitRange(hours(Object.fromEntries(Array.from({ length: 168 }, (_, n) => [n, 10]))))).toBeUndefined()
  expect(fitRange(hours({}))).toBeUndefined()
})

test('a shorter period is tried where its buckets hold 95 %', () => {
  const as_of = new Date(STARTED + 168 * HOUR_MS - 600_000).toISOString()
  const of = (totals: Record<number, number>) => finerPeriods({ series: hours(totals), total: 100, as_of })
  expect(of({ 167: 95, 3: 5 })).toEqual(['1h', '24h'])
  expect(of({ 167: 50, 150: 50 })).toEqual(['24h'])
  expect(of({ 167: 90, 3: 10 })).toEqual([])
  expect(finerPeriods({ series: hours({}), total: 0, as_of })).toEqual([])
})
