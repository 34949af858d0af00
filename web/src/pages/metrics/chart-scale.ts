import type { Percentiles, UsagePoint } from '@tapeline/contracts/audit/http'

export type LatencyScale = {
  /** Where a latency stands, 0 at the top to 100 at the bottom. */
  y: (milliseconds: number) => number
  ticks: { milliseconds: number; y: number }[]
}

const STEPS = [1, 2, 5]
const TICKS_MAX = 7
/** What the landing page promises. */
export const PROMISE_MS = 100

/** A logarithmic scale that holds all the data and the promise, with ticks at 1, 2 and 5. */
export function latencyScale(series: readonly UsagePoint[]): LatencyScale {
  const values = series.flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms.p50, latency_ms.p99]))
  const low = stepAtMost(Math.max(0.1, Math.min(10, ...values)))
  const high = stepAtLeast(Math.max(2 * PROMISE_MS, ...values))
  const span = Math.log(high / low)
  const y = (milliseconds: number) => 100 - (Math.log(Math.max(low, milliseconds) / low) / span) * 100
  const all = steps(low, high).map((milliseconds) => ({ milliseconds, y: y(milliseconds) }))
  const every = Math.ceil(all.length / TICKS_MAX)
  // The promise is among them: its line is drawn as one.
  const promised = all.findIndex(({ milliseconds }) => milliseconds === PROMISE_MS)
  return { y, ticks: all.filter((_, n) => (n - promised) % every === 0) }
}

/** The path of one percentile over the series; a bucket without requests breaks the line. */
export function latencyPath(series: readonly UsagePoint[], of: keyof Percentiles, scale: LatencyScale): string {
  const parts: string[] = []
  let isDrawing = false
  for (const [n, { latency_ms }] of series.entries()) {
    if (latency_ms === null) {
      isDrawing = false
      continue
    }
    const at = `${slotCentre(n, series.length).toFixed(2)} ${scale.y(latency_ms[of]).toFixed(2)}`
    // A lone bucket is a short dash, or nobody would see it.
    parts.push(isDrawing ? `L${at}` : `M${at}h0.01`)
    isDrawing = true
  }
  return parts.join('')
}

/** Percent of the width at which the middle of a bucket stands. */
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
