import { type Range, readPlan } from '../rollups/read-plan.ts'
import { type Level, LEVEL_MS, LEVELS } from '../rollups/roll-up.ts'

/**
 * Rows of a range to add to one bucket of the series and, if a whole day counted them in another one, to subtract
 * there.
 */
export type SeriesPart = Range & { addTo: number | undefined; takeFrom: number | undefined }
export type SeriesPlan = Record<Level, SeriesPart[]>

/** Shortest day, including those with a clock change. */
const NEARLY_A_DAY_MS = 22 * LEVEL_MS.hour

/**
 * Plans which roll-up rows add up to each bucket. Local days are read as whole UTC days; the time between the two
 * midnights is moved from one day to its neighbour, which is four hours per day in New York instead of 24. `edgesMs`
 * as for `readPlan`. The pieces of a level are in order and do not overlap.
 */
export function seriesPlan(edgesMs: readonly number[]): SeriesPlan {
  const plan: SeriesPlan = { minute: [], quarter_hour: [], hour: [], day: [] }
  const inner = edgesMs.slice(1, -1)
  const midnightsMs = inner.map((edge, n) => midnightBy(edge, { isFirst: n === 0, isLast: n === inner.length - 1 }))
  const isOfDays = inner.length > 1 && isRising(inner, NEARLY_A_DAY_MS) && isRising(midnightsMs, 0)
  edgesMs.slice(1).forEach((toMs, n) => {
    const isOuter = n === 0 || n === edgesMs.length - 2
    if (isOuter || !isOfDays) addParts(plan, { fromMs: edgesMs[n] ?? toMs, toMs, addTo: n, takeFrom: undefined })
  })
  if (isOfDays) addInnerDays(plan, inner, midnightsMs)
  for (const level of LEVELS) plan[level].sort((a, b) => a.fromMs - b.fromMs)
  return plan
}

/** The nearest UTC midnight, but never one outside the days between the first and the last bucket. */
function midnightBy(edgeMs: number, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): number {
  const days = edgeMs / LEVEL_MS.day
  if (isFirst) return Math.ceil(days) * LEVEL_MS.day
  return (isLast ? Math.floor(days) : Math.round(days)) * LEVEL_MS.day
}

function isRising(timesMs: readonly number[], byMs: number): boolean {
  return timesMs.slice(1).every((timeMs, n) => timeMs - (timesMs[n] ?? timeMs) >= byMs)
}

/** Every bucket between the first and the last. */
function addInnerDays(plan: SeriesPlan, edgesMs: readonly number[], midnightsMs: readonly number[]): void {
  const bucketAfter = (n: number) => (n >= 0 && n < edgesMs.length - 1 ? n + 1 : undefined)
  edgesMs.forEach((edge, n) => {
    const midnight = midnightsMs[n] ?? edge
    const next = midnightsMs[n + 1] ?? midnight
    const [before, after] = [bucketAfter(n - 1), bucketAfter(n)]
    addParts(plan, { fromMs: midnight, toMs: next, addTo: after, takeFrom: undefined })
    addParts(plan, { fromMs: midnight, toMs: edge, addTo: before, takeFrom: after })
    addParts(plan, { fromMs: edge, toMs: midnight, addTo: after, takeFrom: before })
  })
}

function addParts(plan: SeriesPlan, { fromMs, toMs, addTo, takeFrom }: SeriesPart): void {
  const ranges = readPlan([fromMs, toMs])
  for (const level of LEVELS) plan[level].push(...ranges[level].map((range) => ({ ...range, addTo, takeFrom })))
}
