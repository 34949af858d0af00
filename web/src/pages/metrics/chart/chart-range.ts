import type { UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'

/** Positions in a series, the end left out. */
export type ChartRange = { first: number; end: number }

const HELD_SHARE = 0.95
/** Fewer buckets than this do not show a trend. */
const BUCKETS_MIN = 24
/** A range that leaves out less than half of the series is not worth a second view. */
const FITTED_SHARE_MAX = 0.5

/** The shortest run of buckets with 95 % of the requests, plus a margin; undefined if the whole range fits. */
export function fitRange(series: readonly UsagePoint[]): ChartRange | undefined {
  const shortest = shortestHolding(series)
  if (shortest === undefined) return undefined
  const used = shortest.end - shortest.first
  const length = Math.max(BUCKETS_MIN, Math.ceil(used * 1.2))
  if (length > series.length * FITTED_SHARE_MAX) return undefined
  const end = Math.min(series.length, shortest.end + Math.ceil((length - used) / 2))
  const first = Math.max(0, end - length)
  return { first, end: Math.min(series.length, first + length) }
}

function shortestHolding(series: readonly UsagePoint[]): ChartRange | undefined {
  const needed = series.reduce((sum, { total }) => sum + total, 0) * HELD_SHARE
  if (needed === 0) return undefined
  let best: ChartRange | undefined
  let windowTotal = 0
  let first = 0
  for (const [n, { total }] of series.entries()) {
    windowTotal += total
    for (
      let firstTotal = series[first]?.total ?? 0;
      windowTotal - firstTotal >= needed;
      firstTotal = series[first]?.total ?? 0
    ) {
      windowTotal -= firstTotal
      first += 1
    }
    if (windowTotal >= needed) best = shorterOf(best, { first, end: n + 1 })
  }
  return best
}

function shorterOf(best: ChartRange | undefined, next: ChartRange): ChartRange {
  return best === undefined || next.end - next.first < best.end - best.first ? next : best
}

const HOUR_MS = 3_600_000
/** Periods with finer buckets than those of the default one, shortest first. */
const FINER = [
  { period: '1h', ms: HOUR_MS },
  { period: '24h', ms: 24 * HOUR_MS },
] as const

export type FinerPeriod = (typeof FINER)[number]['period']

/** Shorter periods that may contain 95 % of the requests, according to these buckets. */
export function finerPeriods({ series, total, as_of }: Pick<UsageReport, 'series' | 'total' | 'as_of'>): FinerPeriod[] {
  if (total === 0) return []
  return FINER.filter(({ ms }) => {
    const since = Date.parse(as_of) - ms
    const late = series.reduce((sum, point) => (Date.parse(point.to) > since ? sum + point.total : sum), 0)
    return late >= total * HELD_SHARE
  }).map(({ period }) => period)
}

/** Whether a shorter report contains enough of the longer one to replace it. */
export function coversMostRequests(short: Pick<UsageReport, 'total'>, long: Pick<UsageReport, 'total'>): boolean {
  return short.total >= long.total * HELD_SHARE
}

/** The report reduced to a part of its series, with totals recomputed. */
export function sliceReport(report: UsageReport, { first, end }: ChartRange): UsageReport {
  const series = report.series.slice(first, end)
  const sum = (of: (point: UsagePoint) => number) => series.reduce((total, point) => total + of(point), 0)
  return {
    ...report,
    series,
    total: sum(({ total }) => total),
    success: sum(({ success }) => success),
    failed: sum(({ failed }) => failed),
    denied: sum(({ denied }) => denied),
    client_errors: sum(({ client_errors }) => client_errors),
    server_errors: sum(({ server_errors }) => server_errors),
  }
}
