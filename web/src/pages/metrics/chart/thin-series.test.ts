import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { expect, test } from 'vitest'
import { thinSeries } from './thin-series.ts'

function point(n: number, overrides: Partial<UsagePoint> = {}): UsagePoint {
  const counts = { total: n, success: n, failed: 0, denied: 0, client_errors: 0, server_errors: 0 }
  return {
    from: String(n),
    to: String(n + 1),
    partial: false,
    ...counts,
    latency_ms: { p50: n, p95: n, p99: n },
    ...overrides,
  }
}

test('a series that fits is drawn unchanged', () => {
  const series = [point(1), point(2)]
  expect(thinSeries(series, 2)).toBe(series)
})

test('a column shows the maxima of its buckets; no bucket is omitted, and gaps remain', () => {
  const spike = point(1, { failed: 9, server_errors: 9, latency_ms: { p50: 1, p95: 2, p99: 900 } })
  const series = [point(5), spike, point(3), point(6, { latency_ms: null }), point(7, { latency_ms: null })]
  const thin = thinSeries(series, 2)
  expect(thin.map(({ from, to }) => [from, to])).toEqual([
    ['5', '2'],
    ['3', '8'],
  ])
  expect(thin[0]).toMatchObject({ success: 5, failed: 9, server_errors: 9, latency_ms: { p50: 5, p99: 900 } })
  expect(thin[1]).toMatchObject({ success: 7, latency_ms: { p50: 3, p95: 3, p99: 3 } })
  expect(thinSeries([point(1, { latency_ms: null }), point(2, { latency_ms: null })], 1)[0]?.latency_ms).toBeNull()
})
