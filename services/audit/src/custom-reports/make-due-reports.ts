import type { UserActor } from '@tapeline/contracts/actor'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { FEATURES } from '@tapeline/contracts/config/tiers'
import type { Deps } from '../deps.ts'
import { timeZoneOrUtc } from '../reports/period-buckets.ts'
import { makeReport, type RenderedReport } from './make-report.ts'
import { nextReportAt } from './next-report-at.ts'
import { type DuePlace, listDueReports, lockReport, type ReportRow, updateReport } from './report-queries.ts'
import { REPORTS_FEATURE } from './require-reports.ts'
import { publishReport } from './send-report.ts'

const PAGE_REPORTS = 100

/** An account's plan and time zone, from config. Throws when config does not respond. */
export type ReadSubscription = (accountId: string) => Promise<SubscriptionRecord>

/**
 * Job. Makes the reports that are due, each once however many processes run it. Weeks missed while the platform was
 * off result in one report. A tier without reports postpones them to the next week.
 * @throws the first failure, after all other reports were rendered; failed ones stay due
 */
export async function makeDueReports(
  deps: Deps,
  readSubscription: ReadSubscription,
  pageReports = PAGE_REPORTS,
): Promise<number> {
  const failures: unknown[] = []
  let [total, after]: [number, DuePlace | undefined] = [0, undefined]
  for (;;) {
    const due: ReportRow[] = await listDueReports(deps.db, deps.now(), { limit: pageReports, after })
    for (const row of due) {
      try {
        if (await makeDueReport(deps, row, readSubscription)) total += 1
      } catch (error) {
        failures.push(error)
      }
    }
    const last = due.at(-1)
    if (due.length < pageReports || last === undefined || last.next_at === null) break
    after = { next_at: last.next_at, id: last.id }
  }
  if (failures.length > 0) throw failures[0]
  return total
}

/** False when the tier does not include it, or another process has rendered it in the meantime. */
async function makeDueReport(deps: Deps, row: ReportRow, readSubscription: ReadSubscription): Promise<boolean> {
  const actor = ownerOf(deps, row, await readSubscription(row.account_id))
  const isIncluded = actor.features.includes(REPORTS_FEATURE)
  // The key's owner was checked when the report was saved, and the key may be deleted by now.
  const rendered = isIncluded ? await makeReport({ ...deps, ownsKey: async () => true }, actor, row) : undefined
  return moveOn(deps, { row, actor, rendered })
}

type Outcome = { row: ReportRow; actor: UserActor; rendered: RenderedReport | undefined }

/** Sets the next time and records the report's event, in one transaction. */
function moveOn(deps: Pick<Deps, 'db' | 'now' | 'newId'>, { row, actor, rendered }: Outcome): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    const current = await lockReport(trx, row.account_id, row.id)
    if (current === undefined || current.next_at?.getTime() !== row.next_at?.getTime()) return false
    const now = deps.now()
    const nextAt = nextReportAt(current, timeZoneOrUtc(actor.timeZone), now).toISOString()
    await updateReport(trx, current, {
      next_at: nextAt,
      ...(rendered === undefined ? {} : { last_made_at: now.toISOString() }),
    })
    if (rendered === undefined) return false
    await publishReport(deps, trx, { row: current, rendered, actor: { kind: 'service', service: 'audit' } })
    return true
  })
}

/** The account as an actor, with its current features and time zone. */
function ownerOf(
  { settings, now }: Pick<Deps, 'settings' | 'now'>,
  { account_id: userId }: ReportRow,
  record: SubscriptionRecord,
): UserActor {
  const hasTrialEnded = record.trial_ends_at !== null && Date.parse(record.trial_ends_at) <= now().getTime()
  const tier = hasTrialEnded ? (record.tier_after_trial ?? 'free') : record.tier
  const document = settings.tiers()?.[tier]
  if (document === undefined) throw new Error('tier documents are not available')
  return {
    kind: 'user',
    userId,
    role: 'user',
    tier,
    features: FEATURES.filter((feature) => document.features[feature]),
    sessionId: null,
    keyId: null,
    scopes: [],
    environment: 'live',
    timeZone: record.time_zone,
  }
}
