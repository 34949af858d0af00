import type { settingsChanged } from '@tapeline/contracts/config/events'
import type { Event } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../deps.ts'
import { timeZoneOrUtc } from '../reports/period-buckets.ts'
import type { Tables } from '../tables.ts'
import { nextReportAt } from './next-report-at.ts'
import { listReportRows, updateReport } from './report-queries.ts'

/** Moves an account's reports to its new time zone. Idempotent; reports that are due already stay due. */
export async function rescheduleReports(
  { now }: Pick<Deps, 'now'>,
  trx: Transaction<Tables>,
  { data }: Event<Static<typeof settingsChanged.data>>,
): Promise<void> {
  const zone = data.after['timezone']
  if (typeof zone !== 'string') return
  for (const row of await listReportRows(trx, data.account_id)) {
    if (row.next_at === null || row.next_at <= now()) continue
    await updateReport(trx, row, { next_at: nextReportAt(row, timeZoneOrUtc(zone), now()).toISOString() })
  }
}
