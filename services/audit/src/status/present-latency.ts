import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { SketchSum } from '../rollups/sketch.ts'
import { percentilesOf } from '../reports/usage-totals.ts'

const UP_TO_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500]
const US_PER_MS = 1_000
const NOT_MEASURED = 'No counted request was answered in the last 24 hours.'

/** Response times of the last day as a histogram; buckets are not cumulative. */
export function presentLatency(sketches: readonly Uint8Array[]): PlatformStatus['latency'] {
  const all = new SketchSum()
  for (const sketch of sketches) all.addEncoded(sketch)
  const count = all.count()
  const percentiles = percentilesOf(all)
  const below = [...UP_TO_MS.map((ms) => all.countUpTo(ms * US_PER_MS)), count]
  return {
    count,
    p50_ms: percentiles?.p50 ?? null,
    p95_ms: percentiles?.p95 ?? null,
    p99_ms: percentiles?.p99 ?? null,
    histogram: below.map((up_to, n) => ({ up_to_ms: UP_TO_MS[n] ?? null, count: up_to - (below[n - 1] ?? 0) })),
    not_measured: count === 0 ? NOT_MEASURED : null,
  }
}
