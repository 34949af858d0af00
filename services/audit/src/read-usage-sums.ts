import type { Kysely } from 'kysely'
import { clockStretches } from './clock-stretches.ts'
import { sumNetworks } from './network-queries.ts'
import type { Buckets } from './period-buckets.ts'
import { type ReadPlan, readPlan } from './read-plan.ts'
import { type Grouping, type RowSums, sumUsage, type UsageFilter, type UsageSums } from './report-queries.ts'
import { LEVELS } from './roll-up.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>
export type SumsQuestion = {
  filter: UsageFilter
  edgesMs: readonly number[]
  timeZone: string
  groupBy: Grouping
  withLatency: boolean
}
/** What the series and what the rows of a report are added up from; each holds all requests of the period. */
export type ReadSums = { series: UsageSums[]; rows: readonly RowSums[] }

export const ROWS_MAX = 500

export async function readUsageSums(db: Db, question: SumsQuestion): Promise<ReadSums> {
  switch (question.groupBy) {
    case 'hour': {
      const series = await sumByHourOfDay(db, question)
      return { series, rows: series }
    }
    case 'network': {
      const series = await sumPlan(db, question, readPlan(question.edgesMs), 0)
      return { series, rows: await sumByNetwork(db, question) }
    }
    case 'endpoint':
    case 'key':
    case 'status':
    case 'outcome': {
      const series = await sumPlan(db, question, readPlan(question.edgesMs), 0)
      return { series, rows: series }
    }
  }
}

export function edgesOf({ starts, end }: Pick<Buckets, 'starts' | 'end'>): number[] {
  return [...starts, end].map(({ epochMilliseconds }) => epochMilliseconds)
}

async function sumPlan(db: Db, question: SumsQuestion, plan: ReadPlan, offsetMs: number): Promise<UsageSums[]> {
  const { filter, edgesMs, groupBy, withLatency } = question
  const sums: UsageSums[] = []
  for (const level of LEVELS.filter((one) => plan[one].length > 0)) {
    const part = { ...filter, level, ranges: plan[level], edgesMs, groupBy, offsetMs, withLatency }
    sums.push(...(await sumUsage(db, part)))
  }
  return sums
}

/** Hours of the day where the account is: an hour that the clocks repeat or leave out has its requests, or none. */
async function sumByHourOfDay(db: Db, question: SumsQuestion): Promise<UsageSums[]> {
  const { edgesMs, timeZone } = question
  const period = { fromMs: edgesMs[0] ?? 0, toMs: edgesMs.at(-1) ?? 0 }
  const sums: UsageSums[] = []
  for (const { fromMs, toMs, offsetMs, level } of clockStretches(period, timeZone)) {
    const inside = edgesMs.filter((edge) => edge > fromMs && edge < toMs)
    sums.push(...(await sumPlan(db, question, readPlan([fromMs, ...inside, toMs], level), offsetMs)))
  }
  return sums
}

function sumByNetwork(db: Db, { filter, edgesMs }: SumsQuestion): Promise<RowSums[]> {
  const { day: days, hour, quarter_hour, minute: fragments } = readPlan([edgesMs[0] ?? 0, edgesMs.at(-1) ?? 0])
  return sumNetworks(db, { ...filter, days, quarters: [...hour, ...quarter_hour], fragments, networksMax: ROWS_MAX })
}
