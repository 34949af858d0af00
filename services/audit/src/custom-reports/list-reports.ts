import type { UserActor } from '@tapeline/contracts/actor'
import { type CustomReport, REPORTS_MAX, type ReportList } from '@tapeline/contracts/audit/reports'
import type { Deps } from '../deps.ts'
import { listReportRows, type ReportRow } from './report-queries.ts'
import { lockOf } from './require-reports.ts'

/** All reports of the actor, oldest first; also for a tier that no longer includes them. */
export async function listReports(deps: Pick<Deps, 'db' | 'settings'>, actor: UserActor): Promise<ReportList> {
  const rows = await listReportRows(deps.db, actor.userId)
  return { reports: rows.map(presentReport), max: REPORTS_MAX, locked: lockOf(deps, actor) }
}

export function presentReport(row: ReportRow): CustomReport {
  const { id, name, api_key_id, status, route, breakdown, format, weekday, hour, active } = row
  return {
    id,
    name,
    api_key_id,
    status,
    route,
    breakdown,
    format,
    weekday,
    hour,
    active,
    next_at: row.next_at?.toISOString() ?? null,
    last_made_at: row.last_made_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
