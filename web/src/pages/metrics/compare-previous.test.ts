import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { compareWithPrevious } from './compare-previous.ts'
import { outcomeSlots, stripScale } from './chart/outcome-slots.ts'

const latency_ms = (p95: number) => ({ p50: 1, p95, p99: p95 })

test('figures have the direction and size of their change, and the previous value', () => {
  const now = { total: 110, success: 99, latency_ms: latency_ms(27.4) }
  const before = { total: 100, success: 95, latency_ms: latency_ms(28.6) }
  const { total, success, p95 } = compareWithPrevious(now, before)
  expect(total).toEqual({ direction: 'up', text: '10% from 100' })
  expect(success).toEqual({ direction: 'down', text: '5 points from 95%' })
  expect(p95).toEqual({ direction: 'down', text: '1.2 ms from 28.6 ms' })
  expect(compareWithPrevious(now, now).total?.direction).toBe('same')
})

test('without a previous value there is no comparison', () => {
  const now = { total: 1, success: 1, latency_ms: latency_ms(1) }
  expect(compareWithPrevious(now, { total: 0, success: 0, latency_ms: null })).toEqual({
    total: undefined,
    success: undefined,
    p95: undefined,
  })
})

const point = (success: number) => ({ from: String(success), success, failed: 0 }) as UsagePoint
const period = { from: '', to: '', tz: 'UTC', bucket: 'hour' as const }
const limits = [{ policy: 'hour' as const, limit: 100, used: 0, peak: 0, at: null }]

test('the limit of a bucket is drawn once the data is near it, and is then the top of the scale', () => {
  expect(stripScale({ series: [point(49)], limits, period })).toEqual({ most: 49, limit: undefined })
  expect(stripScale({ series: [point(50), point(2)], limits, period })).toEqual({ most: 100, limit: 100 })
  expect(stripScale({ series: [point(120)], limits, period })).toEqual({ most: 120, limit: 100 })
  expect(stripScale({ series: [], limits: [], period })).toEqual({ most: 0, limit: undefined })
  expect(outcomeSlots([point(50)], 100)[0]?.up).toBe(0.5)
})
