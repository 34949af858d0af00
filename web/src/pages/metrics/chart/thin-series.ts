import type { Percentiles, UsagePoint } from '@tapeline/contracts/audit/http'

/** A chart has no more pixels than this to show buckets. */
const COLUMNS_MAX = 600

/** Reduces a long series: buckets that share a column are drawn with the maximum of each count and the worst latency. */
export function thinSeries(series: UsagePoint[], columnsMax = COLUMNS_MAX): UsagePoint[] {
  const count = series.length
  if (count <= columnsMax) return series
  return Array.from({ length: columnsMax }, (_, n) => {
    const [from, to] = [Math.floor((n * count) / columnsMax), Math.floor(((n + 1) * count) / columnsMax)]
    return mostOf(series, from, to)
  })
}

/** Reuses one point object for the whole series: a hundred thousand points must fit into a frame. */
function mostOf(series: UsagePoint[], from: number, to: number): UsagePoint {
  const [first, last] = [series[from], series[to - 1]]
  if (first === undefined || last === undefined) throw new Error('A column has a bucket.')
  const most = { ...first, to: last.to, latency_ms: first.latency_ms === null ? null : { ...first.latency_ms } }
  for (let n = from + 1; n < to; n += 1) {
    const point = series[n] ?? first
    most.total = Math.max(most.total, point.total)
    most.success = Math.max(most.success, point.success)
    most.failed = Math.max(most.failed, point.failed)
    most.denied = Math.max(most.denied, point.denied)
    most.client_errors = Math.max(most.client_errors, point.client_errors)
    most.server_errors = Math.max(most.server_errors, point.server_errors)
    if (point.latency_ms === null) continue
    if (most.latency_ms === null) most.latency_ms = { ...point.latency_ms }
    else raise(most.latency_ms, point.latency_ms)
  }
  return most
}

function raise(worst: Percentiles, other: Percentiles): void {
  worst.p50 = Math.max(worst.p50, other.p50)
  worst.p95 = Math.max(worst.p95, other.p95)
  worst.p99 = Math.max(worst.p99, other.p99)
}
