import type { Kysely } from 'kysely'
import { timeZoneSegments } from './time-zone-segments.ts'
import { sumNetworks } from './network-queries.ts'
import { spanOf } from './period-buckets.ts'
import { readInTurn, type Step } from './read-in-turn.ts'
import { US_PER_MS } from '../request-log/archive/archive-columns.ts'
import { type ArchiveDeps, readArchived } from '../request-log/archive/archived-log.ts'
import { joinRanges, readPlan } from '../rollups/read-plan.ts'
import {
  type Grouping,
  type RowSums,
  sumUsage,
  type UsageFilter,
  type UsageSumQuery,
  type UsageSums,
} from './report-queries.ts'
import { type Level, LEVELS, ofAccounts } from '../rollups/roll-up.ts'
import type { NetworkSum } from '../rollups/roll-up-networks.ts'
import { type SeriesPart, seriesPlan } from './series-plan.ts'
import { addToTotals, emptyTotals, mergeTotals, type UsageTotals } from './usage-totals.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
export type TotalsQuery = {
  filter: UsageFilter
  /** Starts of the buckets of the series and the end of the last one: whole minutes. */
  edgesMs: readonly number[]
  timeZone: string
  groupBy: Grouping
  withLatency: boolean
  /** Requests by network from archived days (countArchivedNetworks). */
  archivedNetworks?: readonly NetworkSum[]
}
/** The series and the rows of a report; each covers all requests of the period. */
export type UsageTotalsByRow = { all: UsageTotals; series: UsageTotals[]; rows: Map<string, UsageTotals> }

export const ROWS_MAX = 500
const NEEDS_ROWS: readonly Grouping[] = ['endpoint', 'key', 'status']

/** Totals of a period, of each bucket of its series, and of each row of the breakdown, read in one snapshot. */
export async function totalUsage(db: Db, question: TotalsQuery): Promise<UsageTotalsByRow> {
  const series = question.edgesMs.slice(1).map(emptyTotals)
  const rows = new Map<string, UsageTotals>()
  await readInTurn(stepsOf(db, question, series, rows))
  return { all: totalOf(series), series, rows }
}

/** Totals between two times. */
export async function totalOfPeriod(db: Db, question: Omit<TotalsQuery, 'groupBy' | 'timeZone'>): Promise<UsageTotals> {
  const series = question.edgesMs.slice(1).map(emptyTotals)
  await readInTurn(seriesSteps(db, question, series))
  return totalOf(series)
}

function stepsOf(
  db: Db,
  question: TotalsQuery,
  series: readonly UsageTotals[],
  rows: Map<string, UsageTotals>,
): Step[] {
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
function seriesSteps(
  db: Db,
  question: Omit<TotalsQuery, 'groupBy' | 'timeZone'>,
  series: readonly UsageTotals[],
): Step[] {
  const plan = seriesPlan(question.edgesMs)
  return LEVELS.flatMap((level) => {
    const pieces = plan[level]
    const edgesMs = pieces.map(({ fromMs }) => fromMs)
    const part = { level, ranges: joinRanges(pieces), edgesMs, groupBy: 'outcome' as const, offsetMs: 0 }
    return levelSteps(db, question, part, (sum) => addPiece(series, sum, pieces[sum.bucket - 1]))
  })
}

function addPiece(series: readonly UsageTotals[], sum: UsageSums, { addTo, takeFrom }: Partial<SeriesPart> = {}): void {
  const [to, from] = [addTo, takeFrom].map((bucket) => (bucket === undefined ? undefined : series[bucket]))
  if (to !== undefined) addToTotals(to, sum)
  if (from !== undefined) addToTotals(from, sum, -1)
}

/** Reads the whole period at once, which is mostly UTC days in any time zone. */
function rowSteps(db: Db, question: TotalsQuery, rows: Map<string, UsageTotals>): Step[] {
  const edgesMs = spanOf(question.edgesMs)
  const plan = readPlan(edgesMs)
  return LEVELS.flatMap((level) => {
    const part = { level, ranges: plan[level], edgesMs, groupBy: question.groupBy, offsetMs: 0 }
    return levelSteps(db, question, part, (sum) => addToRow(rows, sum))
  })
}

/** Local hours of the day. An hour repeated by a clock change includes both, a skipped one has no requests. */
function hourOfDaySteps(
  db: Db,
  question: TotalsQuery,
  series: readonly UsageTotals[],
  rows: Map<string, UsageTotals>,
): Step[] {
  const { edgesMs, timeZone, groupBy } = question
  const period = { fromMs: edgesMs[0] ?? 0, toMs: edgesMs.at(-1) ?? 0 }
  const add = (sum: UsageSums) => {
    addPiece(series, sum, { addTo: sum.bucket - 1 })
    addToRow(rows, sum)
  }
  return timeZoneSegments(period, timeZone).flatMap(({ fromMs, toMs, offsetMs, level: longest }) => {
    const inside = edgesMs.filter((edge) => edge > fromMs && edge < toMs)
    const plan = readPlan([fromMs, ...inside, toMs], longest)
    return LEVELS.flatMap((level) =>
      levelSteps(db, question, { level, ranges: plan[level], edgesMs, groupBy, offsetMs }, add),
    )
  })
}

function networkStep(
  db: Db,
  { filter, edgesMs, archivedNetworks: archived = [] }: TotalsQuery,
  rows: Map<string, UsageTotals>,
): Step {
  const { day: days, hour, quarter_hour, minute: fragments } = readPlan(spanOf(edgesMs))
  const question = { ...filter, days, quarters: [...hour, ...quarter_hour], fragments, archived, networksMax: ROWS_MAX }
  return stepOf(
    () => sumNetworks(db, question),
    (sum) => addToRow(rows, sum),
  )
}

type Read = Pick<TotalsQuery, 'filter' | 'withLatency'>
type Part = Pick<UsageSumQuery, 'ranges' | 'edgesMs' | 'groupBy' | 'offsetMs'> & { level: Level }

function levelSteps(db: Db, read: Read, part: Part, add: (sum: UsageSums) => void): Step[] {
  return part.ranges.length === 0 ? [] : [stepOf(() => sumLevel(db, read, part), add)]
}

/** Requests of the whole account have their own, much smaller roll-ups. */
function sumLevel(db: Db, { filter, withLatency }: Read, part: Part): Promise<UsageSums[]> {
  const { route, keyId, statuses } = filter
  const isOfAll = [route, keyId, statuses].every((one) => one === undefined) && !NEEDS_ROWS.includes(part.groupBy)
  return sumUsage(db, { ...filter, ...part, level: isOfAll ? ofAccounts(part.level) : part.level, withLatency })
}

function addToRow(rows: Map<string, UsageTotals>, sum: RowSums): void {
  const row = rows.get(sum.row_key) ?? emptyTotals()
  rows.set(sum.row_key, row)
  addToTotals(row, sum)
}

function stepOf<S>(read: () => Promise<S[]>, add: (sum: S) => void): Step {
  return async () => {
    const found = await read()
    return () => {
      // Emptied while iterating: otherwise finished promises retain megabytes until the next full collection.
      for (let sum = found.pop(); sum !== undefined; sum = found.pop()) add(sum)
    }
  }
}

function totalOf(series: readonly UsageTotals[]): UsageTotals {
  const all = emptyTotals()
  for (const totals of series) mergeTotals(all, totals)
  return all
}

/**
 * Requests by network of the parts of a period that are not whole quarters of an hour, as far as they are in archived days.
 * @throws AppError `service.unavailable` when an archived day cannot be read
 */
export async function countArchivedNetworks(
  deps: ArchiveDeps,
  { accountId }: UsageFilter,
  edgesMs: readonly number[],
): Promise<NetworkSum[]> {
  const sums = new Map<string, NetworkSum>()
  for (const { fromMs, toMs } of readPlan(spanOf(edgesMs)).minute) {
    const range = { accountId, from: new Date(fromMs), to: new Date(toMs), order: 'oldest first' as const }
    for await (const requests of readArchived(deps, range)) {
      for (const { account_id, network, key_id, route, outcome, timeUs } of requests) {
        const name = `${network}\0${key_id}\0${route}\0${outcome}`
        const lastMs = timeUs / US_PER_MS
        const sum = sums.get(name) ?? {
          account_id,
          bucketMs: fromMs,
          network,
          key_id,
          route,
          outcome,
          requests: 0,
          lastMs,
        }
        sums.set(name, { ...sum, requests: sum.requests + 1, lastMs: Math.max(sum.lastMs, lastMs) })
      }
    }
  }
  return [...sums.values()]
}
