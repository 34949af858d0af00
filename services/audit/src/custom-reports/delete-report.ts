import type { UserActor } from '@tapeline/contracts/actor'
import { reportDeleted } from '@tapeline/contracts/audit/events'
import type { DeletedReport } from '@tapeline/contracts/audit/reports'
import { newEvent } from '@tapeline/contracts/event'
import type { Deps } from '../deps.ts'
import { recordInTrail } from '../trail/record-in-trail.ts'
import { deleteReportRow } from './report-queries.ts'
import { noSuchReport } from './require-reports.ts'
import { eventOf } from './save-report.ts'

/** Deletes a report, also for a tier that no longer includes them. @throws AppError report.not_found */
export async function deleteReport(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  id: string,
): Promise<DeletedReport> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await deleteReportRow(trx, actor.userId, id)
    if (row === undefined) throw noSuchReport()
    const data = { report_id: id, account_id: actor.userId, name: row.name }
    await recordInTrail(trx, [newEvent(reportDeleted, { ...eventOf(deps, actor, id), data })])
  })
  return { id }
}
