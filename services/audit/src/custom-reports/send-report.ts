import type { Actor, UserActor } from '@tapeline/contracts/actor'
import { reportMade } from '@tapeline/contracts/audit/events'
import type { CustomReport } from '@tapeline/contracts/audit/reports'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { presentReport } from './list-reports.ts'
import { makeReport, type RenderedReport } from './make-report.ts'
import { findReport, lockReport, type ReportRow, updateReport } from './report-queries.ts'
import { noSuchReport, requireReports } from './require-reports.ts'

/** Minimum pause between two mails of a report that the user sends. */
const PAUSE_MS = 60_000

/**
 * Makes a report and mails it to the account, in addition to its schedule.
 * @throws AppError when the tier does not include reports, the report does not exist, or it was made a moment ago
 */
export async function sendReport(deps: Deps, actor: UserActor, id: string): Promise<CustomReport> {
  requireReports(deps, actor)
  const rendered = await makeReport(deps, actor, await requireReport(deps, actor, id))
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockReport(trx, actor.userId, id)
    if (row === undefined) throw noSuchReport()
    const pauseMs = (row.last_made_at?.getTime() ?? 0) + PAUSE_MS - deps.now().getTime()
    if (pauseMs > 0) {
      throw new AppError(
        'report.made_recently',
        'This report was sent less than a minute ago. Please try again later.',
        {
          retryAfterSeconds: Math.ceil(pauseMs / 1_000),
        },
      )
    }
    await publishReport(deps, trx, { row, rendered, actor })
    return presentReport(await updateReport(trx, row, { last_made_at: deps.now().toISOString() }))
  })
}

/** The file that a mail would contain at this moment. */
export async function previewReport(deps: Deps, actor: UserActor, id: string): Promise<RenderedReport> {
  requireReports(deps, actor)
  return makeReport(deps, actor, await requireReport(deps, actor, id))
}

type Publication = { row: ReportRow; rendered: RenderedReport; actor: Actor }

/** Publishes a rendered report once this transaction commits; identity mails it. */
export async function publishReport(
  { now, newId }: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  { row, rendered: { from, to, total, fileName, contentType, bytes }, actor }: Publication,
): Promise<void> {
  const about = { report_id: row.id, account_id: row.account_id, name: row.name }
  const event = newEvent(reportMade, {
    id: newId(),
    time: now(),
    subject: row.id,
    account: row.account_id,
    actor,
    data: { ...about, from, to, total, file_name: fileName, content_type: contentType, file: bytes.toString('base64') },
  })
  await recordEvent(trx, event)
}

async function requireReport({ db }: Pick<Deps, 'db'>, { userId }: UserActor, id: string): Promise<ReportRow> {
  const row = await findReport(db, userId, id)
  if (row === undefined) throw noSuchReport()
  return row
}
