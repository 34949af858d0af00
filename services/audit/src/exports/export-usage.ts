import type { UserActor } from '@tapeline/contracts/actor'
import type { ExportUsageQuery } from '@tapeline/contracts/audit/export'
import type { UsagePoint } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { showDashboardMetrics } from '../reports/show-dashboard-metrics.ts'
import { requireExport } from './require-export.ts'
import { type ExportFile, type ExportRow, writeRows } from './write-rows.ts'

const COUNTS = ['total', 'success', 'failed', 'denied', 'client_errors', 'server_errors'] as const
const COLUMNS = ['from', 'to', ...COUNTS, 'p50_ms', 'p95_ms', 'p99_ms']

/** The filtered report: one line per bucket. */
export async function exportUsage(deps: Deps, actor: UserActor, query: ExportUsageQuery): Promise<ExportFile> {
  requireExport(deps, actor)
  const { format = 'csv', ...filter } = query
  const { series } = await showDashboardMetrics(deps, actor, filter)
  return writeRows({ what: 'usage', format, at: deps.now(), columns: COLUMNS, pages: onePage(series) })
}

async function* onePage(series: readonly UsagePoint[]): AsyncGenerator<ExportRow[]> {
  yield series.map((point) => ({
    from: point.from,
    to: point.to,
    ...Object.fromEntries(COUNTS.map((name) => [name, point[name]])),
    p50_ms: point.latency_ms?.p50 ?? null,
    p95_ms: point.latency_ms?.p95 ?? null,
    p99_ms: point.latency_ms?.p99 ?? null,
  }))
}
