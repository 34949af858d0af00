import { isDeepStrictEqual } from 'node:util'
import type { UserActor } from '@tapeline/contracts/actor'
import { reportCreated, reportUpdated } from '@tapeline/contracts/audit/events'
import {
  type CustomReport,
  REPORT_FORMAT_DEFAULT,
  REPORTS_MAX,
  type SaveReport,
} from '@tapeline/contracts/audit/reports'
import { newEvent } from '@tapeline/contracts/event'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { timeZoneOrUtc } from '../reports/period-buckets.ts'
import { recordInTrail } from '../trail/record-in-trail.ts'
import { presentReport } from './list-reports.ts'
import { makeReport } from './make-report.ts'
import { nextReportAt } from './next-report-at.ts'
import { insertReport, listReportRows, lockCreations, lockReport, updateReport } from './report-queries.ts'
import { noSuchReport, requireReports } from './require-reports.ts'

/**
 * Creates a report.
 * @throws AppError when the tier does not include reports, the account has the maximum, or the key does not exist
 */
export async function createReport(deps: Deps, actor: UserActor, input: SaveReport): Promise<CustomReport> {
  const fields = await checkedFields(deps, actor, input)
  return deps.db.transaction().execute(async (trx) => {
    const now = deps.now()
    await lockCreations(trx, actor.userId)
    const { length } = await listReportRows(trx, actor.userId)
    if (length >= REPORTS_MAX) {
      throw new AppError('report.limit_reached', `An account has at most ${REPORTS_MAX} reports. Delete one first.`)
    }
    const row = await insertReport(trx, {
      ...fields,
      id: deps.newId(),
      account_id: actor.userId,
      next_at: nextAtOf(actor, fields, now),
      last_made_at: null,
      created_at: now.toISOString(),
    })
    const data = { report_id: row.id, account_id: actor.userId, name: row.name, after: fields }
    await recordInTrail(trx, [newEvent(reportCreated, { ...eventOf(deps, actor, row.id), data })])
    return presentReport(row)
  })
}

/**
 * Replaces a report's fields.
 * @throws AppError when the tier does not include reports, or the report or its key does not exist
 */
export async function updateReportFields(
  deps: Deps,
  actor: UserActor,
  id: string,
  input: SaveReport,
): Promise<CustomReport> {
  const fields = await checkedFields(deps, actor, input)
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockReport(trx, actor.userId, id)
    if (row === undefined) throw noSuchReport()
    const changed = FIELDS.filter((field) => !isDeepStrictEqual(row[field], fields[field]))
    if (changed.length === 0) return presentReport(row)
    const saved = await updateReport(trx, row, { ...fields, next_at: nextAtOf(actor, fields, deps.now()) })
    const [before, after] = [row, fields].map((state) => Object.fromEntries(changed.map((name) => [name, state[name]])))
    const data = { report_id: id, account_id: actor.userId, name: saved.name, before: before ?? {}, after: after ?? {} }
    await recordInTrail(trx, [newEvent(reportUpdated, { ...eventOf(deps, actor, id), data })])
    return presentReport(saved)
  })
}

/** Envelope fields of an event about a report. */
export function eventOf({ now, newId }: Pick<Deps, 'now' | 'newId'>, actor: UserActor, reportId: string) {
  return { id: newId(), time: now(), subject: reportId, account: actor.userId, actor }
}

const FIELDS = ['name', 'api_key_id', 'status', 'route', 'breakdown', 'format', 'weekday', 'hour', 'active'] as const
type Fields = Required<SaveReport>

async function checkedFields(deps: Deps, actor: UserActor, input: SaveReport): Promise<Fields> {
  requireReports(deps, actor)
  const { route = null, format = REPORT_FORMAT_DEFAULT } = input
  const fields = { ...input, name: input.name.trim(), route, format }
  // Making it once checks that the key belongs to the account.
  if (fields.api_key_id !== null) await makeReport(deps, actor, fields)
  return fields
}

function nextAtOf({ timeZone }: UserActor, fields: Fields, now: Date): string | null {
  return fields.active ? nextReportAt(fields, timeZoneOrUtc(timeZone), now).toISOString() : null
}
