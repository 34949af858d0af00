/** A sample of a process. */
export type Sample = { atMs: number; rssMb: number; descriptors: number; loopP99Ms: number | undefined }
export type Growth = {
  name: string
  rssMbPerMinute: number
  rssMb: { first: number; last: number }
  descriptorsPerMinute: number
  descriptors: { first: number; last: number; max: number }
  /** Median and maximum of the p99 values between samples. */
  loopP99Ms: { p50: number; max: number } | null
  held: boolean
}
export type Aims = { rssMbPerMinute: number; descriptorsPerMinute: number; loopP99Ms: number }

/** Warm-up: heaps and pools reach their size. */
const WARM_UP_SHARE = 1 / 3
const MINUTE_MS = 60_000

/** Growth of memory and descriptors of a process, by least squares over all samples after the first third. */
export function growthOf(name: string, samples: readonly Sample[], aims: Aims): Growth {
  const settled = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  const rssMbPerMinute = slopePerMinute(settled.map(({ atMs, rssMb }) => [atMs, rssMb]))
  const descriptorsPerMinute = slopePerMinute(settled.map(({ atMs, descriptors }) => [atMs, descriptors]))
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined) throw new Error(`${name} was never sampled`)
  const loop = loopOf(settled)
  return {
    name,
    rssMbPerMinute,
    rssMb: { first: first.rssMb, last: last.rssMb },
    descriptorsPerMinute,
    descriptors: {
      first: first.descriptors,
      last: last.descriptors,
      max: Math.max(...settled.map(({ descriptors }) => descriptors)),
    },
    loopP99Ms: loop,
    held:
      rssMbPerMinute < aims.rssMbPerMinute &&
      descriptorsPerMinute < aims.descriptorsPerMinute &&
      (loop === null || loop.p50 < aims.loopP99Ms),
  }
}

export function slopePerMinute(points: readonly (readonly [atMs: number, value: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const [meanMs, meanValue] = [mean(points.map(([atMs]) => atMs)), mean(points.map(([, value]) => value))]
  const above = points.reduce((sum, [atMs, value]) => sum + (atMs - meanMs) * (value - meanValue), 0)
  const below = points.reduce((sum, [atMs]) => sum + (atMs - meanMs) ** 2, 0)
  return below === 0 ? 0 : (above / below) * MINUTE_MS
}

function loopOf(samples: readonly Sample[]): Growth['loopP99Ms'] {
  const sorted = samples
    .flatMap(({ loopP99Ms }) => (loopP99Ms === undefined ? [] : [loopP99Ms]))
    .toSorted((a, b) => a - b)
  const max = sorted.at(-1)
  if (max === undefined) return null
  return { p50: sorted[Math.floor(sorted.length / 2)] ?? max, max }
}
