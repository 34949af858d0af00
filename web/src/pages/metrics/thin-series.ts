import type { Percentiles, UsagePoint } from '@tapeline/contracts/audit/http'

/** A chart has no more pixels than this to tell buckets apart. */
const COLUMNS_MAX = 600

/** What is drawn of a long series: of the buckets that share a column, the most of each count and the worst latency. */
export function thinSeries(series: UsagePoint[], columnsMax = COLUMNS_MAX): UsagePoint[] {
  const count = series.length
  if (count <= columnsMax) return series
  return Array.from({ length: columnsMax }, (_, n) => {
    const [from, to] = [Math.floor((n * count) / columnsMax), Math.floor(((n + 1) * count) / columnsMax)]
    return series.slice(from, to).reduce(mostOf)
  })
}

function mostOf(one: UsagePoint, next: UsagePoint): UsagePoint {
  return {
    from: one.from,
    to: next.to,
    total: Math.max(one.total, next.total),
    success: Math.max(one.success, next.success),
    failed: Math.max(one.failed, next.failed),
    denied: Math.max(one.denied, next.denied),
    client_errors: Math.max(one.client_errors, next.client_errors),
    server_errors: Math.max(one.server_errors, next.server_errors),
    latency_ms: worstOf(one.latency_ms, next.latency_ms),
  }
}

function worstOf(one: Percentiles | null, next: Percentiles | null): Percentiles | null {
  if (one === null || next === null) return one ?? next
  return { p50: Math.max(one.p50, next.p50), p95: Math.max(one.p95, next.p95), p99: Math.max(one.p99, next.p99) }
}
