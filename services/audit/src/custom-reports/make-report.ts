import type { UserActor } from '@tapeline/contracts/actor'
import type { ReportBreakdown } from '@tapeline/contracts/audit/reports'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { COUNTS, LATENCIES, presentCounts, presentPoint, SERIES_COLUMNS } from '../exports/export-usage.ts'
import type { RequestedPeriod } from '../reports/read-period.ts'
import { readStatuses } from '../reports/read-statuses.ts'
import { reportUsage } from '../reports/report-usage.ts'
import { listKeyNames } from '../requests/key-name-queries.ts'
import type { ReportRow } from './report-queries.ts'
import { type ReportTable, writeReportFile } from './write-report-file.ts'

const DAY_CHARACTERS = 'YYYY-MM-DD'.length

export type ReportFilter = Pick<ReportRow, 'name' | 'api_key_id' | 'status' | 'breakdown' | 'route' | 'format'>
/** `from` and `to`: the reported period, RFC 3339. */
export type RenderedReport = {
  fileName: string
  contentType: string
  bytes: Buffer
  from: string
  to: string
  total: number
}

/**
 * The last seven days as a file, with the numbers that the metrics page shows at this moment.
 * @throws AppError when the key does not exist or belongs to another account
 */
export async function makeReport(deps: Deps, actor: UserActor, filter: ReportFilter): Promise<RenderedReport> {
  const { breakdown } = filter
  const usage = await reportUsage(deps, actor, {
    period: periodOf(breakdown),
    fallback: '7d',
    groupBy: breakdown === 'hour' || breakdown === 'day' ? 'endpoint' : breakdown,
    route: filter.route ?? undefined,
    keyId: filter.api_key_id ?? undefined,
    statuses: filter.status === null ? undefined : readStatuses(filter.status),
  })
  const table = await tableOf(deps, actor, { breakdown, usage })
  const { from, to } = usage.period
  const subtitle = `${from.slice(0, DAY_CHARACTERS)} to ${to.slice(0, DAY_CHARACTERS)}, ${usage.total} requests`
  const file = writeReportFile(filter.format, table, { title: filter.name, subtitle })
  return {
    fileName: `tapeline-report-${to.slice(0, DAY_CHARACTERS)}.${file.extension}`,
    contentType: file.contentType,
    bytes: file.bytes,
    from,
    to,
    total: usage.total,
  }
}

function periodOf(breakdown: ReportBreakdown): RequestedPeriod {
  return breakdown === 'day' ? { days: 7, unit: 'day' } : '7d'
}

type Reported = { breakdown: ReportBreakdown; usage: UsageReport }

async function tableOf(
  { db }: Pick<Deps, 'db'>,
  { userId }: UserActor,
  { breakdown, usage }: Reported,
): Promise<ReportTable> {
  if (breakdown === 'hour' || breakdown === 'day') {
    return { columns: SERIES_COLUMNS, rows: usage.series.map(presentPoint) }
  }
  const keyIds = usage.rows.map(({ key }) => key)
  const names = breakdown === 'key' ? await listKeyNames(db, userId, keyIds) : undefined
  return {
    columns: [breakdown, ...(names === undefined ? [] : ['name']), ...COUNTS, ...LATENCIES, 'last_at'],
    rows: usage.rows.map((row) => ({
      [breakdown]: row.key,
      name: names?.get(row.key) ?? null,
      ...presentCounts(row),
      last_at: row.last_at,
    })),
  }
}
