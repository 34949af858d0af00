import type { UserActor } from '@tapeline/contracts/actor'
import type { ReportBreakdown } from '@tapeline/contracts/audit/reports'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { csvLine } from '../exports/csv.ts'
import { COUNTS, LATENCIES, presentCounts, presentPoint, SERIES_COLUMNS } from '../exports/export-usage.ts'
import type { ExportRow } from '../exports/write-rows.ts'
import type { AskedPeriod } from '../reports/read-period.ts'
import { readStatuses } from '../reports/read-statuses.ts'
import { reportUsage } from '../reports/report-usage.ts'
import { listKeyNames } from '../requests/key-name-queries.ts'
import type { ReportRow } from './report-queries.ts'

/** Maximum size of a file: the event with it stays below Kafka's maximum message size. */
const CSV_BYTES_MAX = 262_144
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

export type ReportFilter = Pick<ReportRow, 'api_key_id' | 'status' | 'breakdown'>
/** `from` and `to`: the reported period, RFC 3339. */
export type MadeReport = { fileName: string; csv: string; from: string; to: string; total: number }

/**
 * The last seven days as CSV, with the numbers that the metrics page shows at this moment.
 * @throws AppError when the key does not exist or belongs to another account
 */
export async function makeReport(deps: Deps, actor: UserActor, filter: ReportFilter): Promise<MadeReport> {
  const { breakdown } = filter
  const usage = await reportUsage(deps, actor, {
    period: periodOf(breakdown),
    fallback: '7d',
    groupBy: breakdown === 'hour' || breakdown === 'day' ? 'endpoint' : breakdown,
    route: undefined,
    keyId: filter.api_key_id ?? undefined,
    statuses: filter.status === null ? undefined : readStatuses(filter.status),
  })
  const { columns, rows } = await tableOf(deps, actor, { breakdown, usage })
  const { from, to } = usage.period
  return {
    fileName: `tapeline-report-${to.slice(0, DAY_CHARACTERS)}.csv`,
    csv: csvOf(columns, rows),
    from,
    to,
    total: usage.total,
  }
}

function periodOf(breakdown: ReportBreakdown): AskedPeriod {
  return breakdown === 'day' ? { days: 7, unit: 'day' } : '7d'
}

type Table = { columns: readonly string[]; rows: ExportRow[] }
type Reported = { breakdown: ReportBreakdown; usage: UsageReport }

async function tableOf(
  { db }: Pick<Deps, 'db'>,
  { userId }: UserActor,
  { breakdown, usage }: Reported,
): Promise<Table> {
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

/** Rows past the maximum size are omitted: the busiest come first. */
function csvOf(columns: readonly string[], rows: readonly ExportRow[]): string {
  let csv = csvLine(columns)
  let bytes = Buffer.byteLength(csv)
  for (const row of rows) {
    const line = csvLine(columns.map((column) => row[column] ?? null))
    bytes += Buffer.byteLength(line)
    if (bytes > CSV_BYTES_MAX) break
    csv += line
  }
  return csv
}
