import type { UserActor } from '@tapeline/contracts/actor'
import type { ExportUsageQuery } from '@tapeline/contracts/audit/export'
import type { UsagePoint, UsageRow } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { showDashboardMetrics } from '../reports/show-dashboard-metrics.ts'
import { requireExport } from './require-export.ts'
import { type ExportFile, type ExportRow, writeRows } from './write-rows.ts'

export const COUNTS = ['total', 'success', 'failed', 'denied', 'client_errors', 'server_errors'] as const
export const LATENCIES = ['p50_ms', 'p95_ms', 'p99_ms'] as const
export const SERIES_COLUMNS = ['from', 'to', ...COUNTS, ...LATENCIES]

/** The filtered report: one line per bucket. */
export async function exportUsage(deps: Deps, actor: UserActor, query: ExportUsageQuery): Promise<ExportFile> {
  requireExport(deps, actor)
  const { format = 'csv', ...filter } = query
  const { series } = await showDashboardMetrics(deps, actor, filter)
  return writeRows({ what: 'usage', format, at: deps.now(), columns: SERIES_COLUMNS, pages: onePage(series) })
}

async function* onePage(series: readonly UsagePoint[]): AsyncGenerator<ExportRow[]> {
  yield series.map(presentPoint)
}

/** A bucket as a line of a file. */
export function presentPoint(point: UsagePoint): ExportRow {
  return { from: point.from, to: point.to, ...presentCounts(point) }
}

/** Counts and response times of a bucket or of a row. */
export function presentCounts(counted: UsagePoint | UsageRow): ExportRow {
  return {
    ...Object.fromEntries(COUNTS.map((name) => [name, counted[name]])),
    p50_ms: counted.latency_ms?.p50 ?? null,
    p95_ms: counted.latency_ms?.p95 ?? null,
    p99_ms: counted.latency_ms?.p99 ?? null,
  }
}
