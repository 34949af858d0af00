import type { Kysely } from 'kysely'
import { clockStretches } from './clock-stretches.ts'
import { sumNetworks } from './network-queries.ts'
import { spanOf } from './period-buckets.ts'
import { readInTurn, type Step } from './read-in-turn.ts'
import { joinRanges, readPlan } from './read-plan.ts'
import {
  type Grouping,
  type RowSums,
  sumUsage,
  type UsageFilter,
  type UsageQuestion,
  type UsageSums,
} from './report-queries.ts'
import { type Level, LEVELS, ofAccounts } from './roll-up.ts'
import { type Piece, seriesPlan } from './series-plan.ts'
import { addToTally, emptyTally, mergeTally, type Tally } from './tally.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>
export type TallyQuestion = {
  filter: UsageFilter
  /** Starts of the buckets of the series and the end of the last one: whole minutes. */
  edgesMs: readonly number[]
  timeZone: string
  groupBy: Grouping
  withLatency: boolean
}
/** The series and the rows of a report; each holds all requests of the period. */
export type UsageTallies = { all: Tally; series: Tally[]; rows: Map<string, Tally> }

export const ROWS_MAX = 500
const NEEDS_ROWS: readonly Grouping[] = ['endpoint', 'key', 'status']

export async function tallyUsage(db: Db, question: TallyQuestion): Promise<UsageTallies> {
  const series = question.edgesMs.slice(1).map(emptyTally)
  const rows = new Map<string, Tally>()
  await readInTurn(stepsOf(db, question, series, rows))
  return { all: totalOf(series), series, rows }
}

/** Everything between two moments. */
export async function tallyTotal(db: Db, question: Omit<TallyQuestion, 'groupBy' | 'timeZone'>): Promise<Tally> {
  const series = question.edgesMs.slice(1).map(emptyTally)
  await readInTurn(seriesSteps(db, question, series))
  return totalOf(series)
}

function stepsOf(db: Db, question: TallyQuestion, series: readonly Tally[], rows: Map<string, Tally>): Step[] {
  switch (question.groupBy) {
    case 'hour':
      return hourOfDaySteps(db, question, series, rows)
    case 'network':
      return [networkStep(db, question, rows), ...seriesSteps(db, question, series)]
    case 'endpoint':
    case 'key':
    case 'status':
    case 'outcome':
      return [...rowSteps(db, question, rows), ...seriesSteps(db, question, series)]
  }
}

/** Counts and response times per bucket. */
function seriesSteps(db: Db, question: Omit<TallyQuestion, 'groupBy' | 'timeZone'>, series: readonly Tally[]): Step[] {
  const plan = seriesPlan(question.edgesMs)
  return LEVELS.flatMap((level) => {
    const pieces = plan[level]
    const edgesMs = pieces.map(({ fromMs }) => fromMs)
    const part = { level, ranges: joinRanges(pieces), edgesMs, groupBy: 'outcome' as const, offsetMs: 0 }
    return levelSteps(db, question, part, (sum) => addPiece(series, sum, pieces[sum.bucket - 1]))
  })
}

function addPiece(series: readonly Tally[], sum: UsageSums, { addTo, takeFrom }: Partial<Piece> = {}): void {
  const [to, from] = [addTo, takeFrom].map((bucket) => (bucket === undefined ? undefined : series[bucket]))
  if (to !== undefined) addToTally(to, sum)
  if (from !== undefined) addToTally(from, sum, -1)
}

/** Over the whole period at once, so that most of it are days of UTC, whatever the time zone. */
function rowSteps(db: Db, question: TallyQuestion, rows: Map<string, Tally>): Step[] {
  const edgesMs = spanOf(question.edgesMs)
  const plan = readPlan(edgesMs)
  return LEVELS.flatMap((level) => {
    const part = { level, ranges: plan[level], edgesMs, groupBy: question.groupBy, offsetMs: 0 }
    return levelSteps(db, question, part, (sum) => addToRow(rows, sum))
  })
}

/** Hours of the day where the account is: an hour that the clocks repeat or leave out has its requests, or none. */
function hourOfDaySteps(db: Db, question: TallyQuestion, series: readonly Tally[], rows: Map<string, Tally>): Step[] {
  const { edgesMs, timeZone, groupBy } = question
  const period = { fromMs: edgesMs[0] ?? 0, toMs: edgesMs.at(-1) ?? 0 }
  const add = (sum: UsageSums) => {
    addPiece(series, sum, { addTo: sum.bucket - 1 })
    addToRow(rows, sum)
  }
  return clockStretches(period, timeZone).flatMap(({ fromMs, toMs, offsetMs, level: longest }) => {
    const inside = edgesMs.filter((edge) => edge > fromMs && edge < toMs)
    const plan = readPlan([fromMs, ...inside, toMs], longest)
    return LEVELS.flatMap((level) =>
      levelSteps(db, question, { level, ranges: plan[level], edgesMs, groupBy, offsetMs }, add),
    )
  })
}

function networkStep(db: Db, { filter, edgesMs }: TallyQuestion, rows: Map<string, Tally>): Step {
  const { day: days, hour, quarter_hour, minute: fragments } = readPlan(spanOf(edgesMs))
  const question = { ...filter, days, quarters: [...hour, ...quarter_hour], fragments, networksMax: ROWS_MAX }
  return stepOf(
    () => sumNetworks(db, question),
    (sum) => addToRow(rows, sum),
  )
}

type Read = Pick<TallyQuestion, 'filter' | 'withLatency'>
type Part = Pick<UsageQuestion, 'ranges' | 'edgesMs' | 'groupBy' | 'offsetMs'> & { level: Level }

function levelSteps(db: Db, read: Read, part: Part, add: (sum: UsageSums) => void): Step[] {
  return part.ranges.length === 0 ? [] : [stepOf(() => sumLevel(db, read, part), add)]
}

/** Of all requests of an account there are sums that are shorter by far. */
function sumLevel(db: Db, { filter, withLatency }: Read, part: Part): Promise<UsageSums[]> {
  const { route, keyId, statuses } = filter
  const isOfAll = [route, keyId, statuses].every((one) => one === undefined) && !NEEDS_ROWS.includes(part.groupBy)
  return sumUsage(db, { ...filter, ...part, level: isOfAll ? ofAccounts(part.level) : part.level, withLatency })
}

function addToRow(rows: Map<string, Tally>, sum: RowSums): void {
  const row = rows.get(sum.row_key) ?? emptyTally()
  rows.set(sum.row_key, row)
  addToTally(row, sum)
}

function stepOf<S>(read: () => Promise<S[]>, add: (sum: S) => void): Step {
  return async () => {
    const found = await read()
    return () => {
      // Emptied on the way: finished promises would keep these megabytes until the next full collection.
      for (let sum = found.pop(); sum !== undefined; sum = found.pop()) add(sum)
    }
  }
}

function totalOf(series: readonly Tally[]): Tally {
  const all = emptyTally()
  for (const tally of series) mergeTally(all, tally)
  return all
}
