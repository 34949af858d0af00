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
    case 'network':
      return { series: await sumSeries(db, question), rows: await sumByNetwork(db, question) }
    case 'endpoint':
    case 'key':
    case 'status':
    case 'outcome':
      return { series: await sumSeries(db, question), rows: await sumRows(db, question) }
  }
}

/** Counts and response times per bucket: of all requests of an account there are sums that are shorter by far. */
export function sumSeries(db: Db, question: SumsQuestion): Promise<UsageSums[]> {
  const reading = { plan: readPlan(question.edgesMs), offsetMs: 0, hours: hoursFor(question) }
  return sumPlan(db, { ...question, groupBy: 'outcome' }, reading)
}

/** Over the whole period at once, so that most of it are days of UTC, whatever the time zone. */
function sumRows(db: Db, question: SumsQuestion): Promise<UsageSums[]> {
  const edgesMs = spanOf(question.edgesMs)
  return sumPlan(db, { ...question, edgesMs }, { plan: readPlan(edgesMs), offsetMs: 0, hours: 'hour' })
}

/** A period as one bucket. */
export function spanOf(edgesMs: readonly number[]): number[] {
  return [edgesMs[0] ?? 0, edgesMs.at(-1) ?? 0]
}

export function edgesOf({ starts, end }: Pick<Buckets, 'starts' | 'end'>): number[] {
  return [...starts, end].map(({ epochMilliseconds }) => epochMilliseconds)
}

type Reading = { plan: ReadPlan; offsetMs: number; hours: 'hour' | 'account_hour' }

async function sumPlan(db: Db, question: SumsQuestion, { plan, offsetMs, hours }: Reading): Promise<UsageSums[]> {
  const { filter, edgesMs, groupBy, withLatency } = question
  const sums: UsageSums[] = []
  for (const one of LEVELS.filter((level) => plan[level].length > 0)) {
    const level = one === 'hour' ? hours : one
    const part = { ...filter, level, ranges: plan[one], edgesMs, groupBy, offsetMs, withLatency }
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
    const plan = readPlan([fromMs, ...inside, toMs], level)
    sums.push(...(await sumPlan(db, question, { plan, offsetMs, hours: hoursFor(question) })))
  }
  return sums
}

function sumByNetwork(db: Db, { filter, edgesMs }: SumsQuestion): Promise<RowSums[]> {
  const { day: days, hour, quarter_hour, minute: fragments } = readPlan(spanOf(edgesMs))
  return sumNetworks(db, { ...filter, days, quarters: [...hour, ...quarter_hour], fragments, networksMax: ROWS_MAX })
}

function hoursFor({ filter }: SumsQuestion): Reading['hours'] {
  return filter.route === undefined && filter.keyId === undefined ? 'account_hour' : 'hour'
}
