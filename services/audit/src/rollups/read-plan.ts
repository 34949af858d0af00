import { type Level, LEVEL_MS, LEVELS } from './roll-up.ts'

/** Milliseconds since 1970, `toMs` exclusive. */
export type Range = { fromMs: number; toMs: number }
export type ReadPlan = Record<Level, Range[]>

/**
 * Plans which roll-up rows add up to each bucket: whole UTC days where they fit, then hours, and so on; a day in
 * India is 23 hours and four quarters. `edgesMs` are whole minutes in order; levels above `longest` are not read.
 */
export function readPlan(edgesMs: readonly number[], longest: Level = 'day'): ReadPlan {
  const plan: ReadPlan = { minute: [], quarter_hour: [], hour: [], day: [] }
  edgesMs.slice(1).forEach((toMs, n) => cover({ fromMs: edgesMs[n] ?? toMs, toMs }, LEVELS.indexOf(longest), plan))
  for (const level of LEVELS) plan[level] = joinRanges(plan[level])
  return plan
}

function cover(range: Range, coarsest: number, plan: ReadPlan): void {
  const level = LEVELS[coarsest]
  if (level === undefined || range.fromMs >= range.toMs) return
  const unitMs = LEVEL_MS[level]
  const fromMs = Math.ceil(range.fromMs / unitMs) * unitMs
  const toMs = Math.floor(range.toMs / unitMs) * unitMs
  if (fromMs >= toMs) return cover(range, coarsest - 1, plan)
  plan[level].push({ fromMs, toMs })
  cover({ fromMs: range.fromMs, toMs: fromMs }, coarsest - 1, plan)
  cover({ fromMs: toMs, toMs: range.toMs }, coarsest - 1, plan)
}

/** Joins adjacent ranges. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const result: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1)
    if (last !== undefined && last.toMs === range.fromMs) last.toMs = range.toMs
    else result.push({ fromMs: range.fromMs, toMs: range.toMs })
  }
  return result
}
