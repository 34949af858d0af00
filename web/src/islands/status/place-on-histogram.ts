import type { PlatformStatus } from '@tapeline/contracts/audit/status'

export type Bucket = { from_ms: number; up_to_ms: number | null; count: number }

/** Buckets from the first to the last non-empty one, each with its lower bound. */
export function filledBuckets(histogram: PlatformStatus['latency']['histogram']): Bucket[] {
  const filled = histogram.flatMap(({ count }, index) => (count > 0 ? [index] : []))
  return histogram
    .map((bucket, index) => ({ from_ms: histogram[index - 1]?.up_to_ms ?? 0, ...bucket }))
    .slice(filled[0] ?? 0, (filled.at(-1) ?? -1) + 1)
}

/** Position of a duration on buckets of equal width, from 0 to 1; for the bucket without an upper bound, its middle. */
export function placeOnHistogram(buckets: readonly Bucket[], ms: number): number {
  const index = buckets.findIndex(({ up_to_ms }) => up_to_ms === null || ms <= up_to_ms)
  const bucket = buckets[index]
  if (bucket === undefined) return 1
  const { from_ms, up_to_ms } = bucket
  const within = up_to_ms === null ? 0.5 : Math.max(0, (ms - from_ms) / (up_to_ms - from_ms))
  return (index + within) / buckets.length
}
