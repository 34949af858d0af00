import type { LoadResult } from './load-result.ts'

export type Change = { figure: string; before: number; now: number; unit: string; verdict: 'better' | 'worse' | 'same' }

/** Smaller differences occur between identical runs. */
const NOISE_SHARE = 0.15
/** Absolute differences below these are ignored. */
const NOISE = { ms: 2, '%': 0.01, µs: 20, '/s': 0.5, '': 0 } as const
type Unit = keyof typeof NOISE
type Figure = { figure: string; value: number; unit: Unit; lessIsBetter: boolean }

/** Differences of the figures that both runs have; empty if the loads differed. */
export function compareResults(before: LoadResult, now: LoadResult): Change[] {
  if (before.journey !== now.journey || before.profile !== now.profile) return []
  const earlier = new Map(figuresOf(before).map((one) => [one.figure, one.value]))
  return figuresOf(now).flatMap(({ figure, value, unit, lessIsBetter }) => {
    const was = earlier.get(figure)
    if (was === undefined) return []
    return [{ figure, before: was, now: value, unit, verdict: verdictOf(was, value, { unit, lessIsBetter }) }]
  })
}

function verdictOf(was: number, is: number, { unit, lessIsBetter }: Pick<Figure, 'unit' | 'lessIsBetter'>) {
  const difference = Math.abs(is - was)
  if (difference <= NOISE[unit] || difference <= NOISE_SHARE * Math.abs(was)) return 'same'
  return is < was === lessIsBetter ? 'better' : 'worse'
}

function figuresOf(result: LoadResult): Figure[] {
  const less = { lessIsBetter: true }
  const latencies = Object.entries({ ...result.latencies, ...result.times }).flatMap(
    ([name, { p95, p99 }]): Figure[] => [
      { figure: `${name} p95`, value: p95, unit: 'ms', ...less },
      { figure: `${name} p99`, value: p99, unit: 'ms', ...less },
    ],
  )
  const costs = result.costs.map(({ name, cpuMicrosPerRequest }): Figure => {
    return { figure: `CPU of ${name} per request`, value: cpuMicrosPerRequest, unit: 'µs', ...less }
  })
  return [
    { figure: 'requests', value: result.requestsPerSecond, unit: '/s', lessIsBetter: false },
    ...latencies,
    { figure: 'failed', value: 100 * result.failedShare, unit: '%', ...less },
    { figure: 'dropped iterations', value: result.droppedIterations, unit: '', ...less },
    { figure: 'limiter overshoot', value: result.limiterOvershoot, unit: '', ...less },
    ...costs,
  ]
}
