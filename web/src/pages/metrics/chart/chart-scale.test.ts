import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { latencyMarks, latencyPath, latencyScale } from './chart-scale.ts'

function point(p50: number | null, p99 = p50): UsagePoint {
  const latency_ms = p50 === null || p99 === null ? null : { p50, p95: p50, p99 }
  return {
    from: '',
    to: '',
    partial: false,
    total: 0,
    success: 0,
    failed: 0,
    denied: 0,
    client_errors: 0,
    server_errors: 0,
    latency_ms,
  }
}

test('the scale contains the data and the target of 100 ms', () => {
  const scale = latencyScale([point(12, 318), point(10, 40)])
  expect(scale.ticks.map(({ milliseconds }) => milliseconds)).toEqual([10, 20, 50, 100, 200, 500])
  expect(scale.y(10)).toBe(100)
  expect(scale.y(500)).toBeCloseTo(0)
  expect(scale.y(100)).toBeGreaterThan(scale.y(318))
})

test('the objective has a tick, whatever the range of the data', () => {
  for (const slowest of [150, 1_290, 3_000, 14_000, 90_000]) {
    const { ticks } = latencyScale([point(3, slowest)])
    expect(ticks.map(({ milliseconds }) => milliseconds)).toContain(100)
    expect(ticks.length).toBeLessThanOrEqual(7)
  }
})

test('sub-millisecond latencies and an empty series have a scale too', () => {
  expect(latencyScale([point(0.42, 3)]).y(0.42)).toBeLessThanOrEqual(100)
  expect(latencyScale([]).ticks.length).toBeGreaterThan(2)
})

const p50 = ({ latency_ms }: UsagePoint) => latency_ms?.p50

test('an hour without requests and a missing hour interrupt the line', () => {
  const series = [point(10), point(10), point(null), point(10)]
  expect(latencyPath(series, p50).match(/M/g)).toHaveLength(2)
  expect(latencyPath(series, p50, (each) => each === series[3]).match(/M/g)).toHaveLength(1)
})

test('every bucket of a sparse series has a mark, of a dense one those without neighbours', () => {
  expect(latencyMarks([point(1), point(2), point(null)], p50, () => true).match(/M/g)).toHaveLength(2)
  const dense = Array.from({ length: 200 }, (_, n) => point(n < 100 || n === 150 ? 10 : null))
  expect(latencyMarks(dense, p50, () => true).match(/M/g)).toHaveLength(1)
})
