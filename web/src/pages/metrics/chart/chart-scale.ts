import type { UsagePoint } from '@tapeline/contracts/audit/http'

export type LatencyScale = {
  /** Vertical position of a latency, from 0 (top) to 100 (bottom). */
  y: (milliseconds: number) => number
  ticks: { milliseconds: number; y: number }[]
}

const STEPS = [1, 2, 5]
const TICKS_MAX = 7
/** The objective stated on the landing page. */
export const TARGET_MS = 100

/** A logarithmic scale over all data and the target, with ticks at 1, 2 and 5. */
export function latencyScale(series: readonly UsagePoint[]): LatencyScale {
  const values = series.flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms.p50, latency_ms.p99]))
  const low = stepAtMost(Math.max(0.1, Math.min(10, ...values)))
  const high = stepAtLeast(Math.max(2 * TARGET_MS, ...values))
  const span = Math.log(high / low)
  const y = (milliseconds: number) => 100 - (Math.log(Math.max(low, milliseconds) / low) / span) * 100
  const all = steps(low, high).map((milliseconds) => ({ milliseconds, y: y(milliseconds) }))
  const every = Math.ceil(all.length / TICKS_MAX)
  // Includes the objective, whose line is drawn as a tick.
  const promised = all.findIndex(({ milliseconds }) => milliseconds === TARGET_MS)
  return { y, ticks: all.filter((_, n) => (n - promised) % every === 0) }
}

/** The path of one percentile over the series; a bucket without requests, or one not yet whole, breaks the line. */
export function latencyPath(
  series: readonly UsagePoint[],
  y: (point: UsagePoint) => number | undefined,
  isExcluded: (point: UsagePoint) => boolean = () => false,
): string {
  const parts: string[] = []
  let isDrawing = false
  for (const [n, point] of series.entries()) {
    const height = isExcluded(point) ? undefined : y(point)
    if (height !== undefined) parts.push(`${isDrawing ? 'L' : 'M'}${place(n, series.length, height)}`)
    isDrawing = height !== undefined
  }
  return parts.join('')
}

/** More buckets than this touch each other: then only one without neighbours has a mark. */
const MARKED_MAX = 120

/** Round dots, as lines without a length, so that the SVG may be stretched. */
export function latencyMarks(
  series: readonly UsagePoint[],
  y: (point: UsagePoint) => number | undefined,
  isMarked: (point: UsagePoint) => boolean,
): string {
  const has = (n: number): boolean => series[n] !== undefined && series[n].latency_ms !== null
  return series
    .map((point, n) => {
      const height = y(point)
      const isSeen = series.length <= MARKED_MAX || (!has(n - 1) && !has(n + 1))
      return height === undefined || !isSeen || !isMarked(point) ? '' : `M${place(n, series.length, height)}h0.001`
    })
    .join('')
}

function place(n: number, count: number, y: number): string {
  return `${slotCentre(n, count).toFixed(2)} ${y.toFixed(2)}`
}

/** Horizontal position of the middle of a bucket, in percent of the width. */
export function slotCentre(n: number, count: number): number {
  return ((n + 0.5) / Math.max(1, count)) * 100
}

function steps(low: number, high: number): number[] {
  const found: number[] = []
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1) {
    for (const step of STEPS) {
      const value = Number((step * 10 ** power).toPrecision(1))
      if (value >= low && value <= high) found.push(value)
    }
  }
  return found
}

function stepAtMost(value: number): number {
  return steps(value / 10, value).at(-1) ?? value
}

function stepAtLeast(value: number): number {
  return steps(value, value * 10)[0] ?? value
}
