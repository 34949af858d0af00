import type { UsageForecast } from '@tapeline/contracts/audit/forecast'

/** A limit further above the lines than this is named in words, so that the lines stay readable. */
const LIMIT_IN_SIGHT = 2.5
const HEADROOM = 1.05
const STEPS = [1, 2, 2.5, 5, 10]
const LINES_MAX = 4

/** Percent of the plot: x from the left, y from the top. */
export type ForecastScale = {
  x: (time: string) => number
  y: (requests: number) => number
  grid: number[]
  showsLimit: boolean
}

export function forecastScale({ month, series, limit, end, used }: UsageForecast): ForecastScale {
  const [from, to] = [Date.parse(month.from), Date.parse(month.to)]
  const highest = Math.max(1, used, end?.high ?? 0, ...series.map(({ used: sum }) => sum ?? 0))
  const showsLimit = limit <= highest * LIMIT_IN_SIGHT
  const top = Math.max(highest, showsLimit ? limit : 0) * HEADROOM
  return {
    x: (time) => ((Date.parse(time) - from) / (to - from)) * 100,
    y: (requests) => 100 - (requests / top) * 100,
    grid: gridOf(top),
    showsLimit,
  }
}

/** Round values, at most five of them. */
function gridOf(top: number): number[] {
  const raw = top / LINES_MAX
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(1, (STEPS.find((one) => one * power >= raw) ?? 10) * power)
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, n) => n * step)
}

type Point = { at: string; requests: number }

export function linePath(points: readonly Point[], { x, y }: ForecastScale): string {
  return points.map(({ at, requests }, n) => `${n === 0 ? 'M' : 'L'}${place(x(at))} ${place(y(requests))}`).join('')
}

/** From the moment of the forecast along the upper end, and back along the lower. */
export function bandPath({ as_of: asOf, used, series }: UsageForecast, scale: ForecastScale): string {
  const now = { at: asOf, requests: used }
  const upper = series.flatMap(({ at, high }) => (high === null ? [] : [{ at, requests: high }]))
  const lower = series.flatMap(({ at, low }) => (low === null ? [] : [{ at, requests: low }]))
  if (upper.length === 0) return ''
  return `${linePath([now, ...upper, ...lower.toReversed()], scale)}Z`
}

export function usedPoints({ month, series }: UsageForecast): Point[] {
  const days = series.flatMap(({ at, used }) => (used === null ? [] : [{ at, requests: used }]))
  return [{ at: month.from, requests: 0 }, ...days]
}

export function likelyPoints({ as_of: asOf, used, series }: UsageForecast): Point[] {
  const days = series.flatMap(({ at, likely }) => (likely === null ? [] : [{ at, requests: likely }]))
  return [{ at: asOf, requests: used }, ...days]
}

function place(percent: number): string {
  return percent.toFixed(2)
}
