import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyShadowReport, ShadowReportQuery } from '@tapeline/contracts/audit/shadow'
import type { Deps } from '../deps.ts'
import { listShadowAccounts, listShadowHours, totalShadow } from './shadow-queries.ts'
import { countsOf, presentDenials, presentHour, readPeriod } from './show-shadow-report.ts'

/**
 * What the caps proposed for a key decided about its requests. A proposal of another account looks like one without requests.
 * @throws AppError when the period is invalid
 */
export async function showKeyShadow(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { userId }: UserActor,
  proposal: string,
  query: ShadowReportQuery,
): Promise<KeyShadowReport> {
  const period = { proposal, owner: userId, ...readPeriod(query, now().getTime()) }
  const total = await totalShadow(db, period)
  const hours = await listShadowHours(db, period)
  const [row] = await listShadowAccounts(db, period, 1)
  return {
    proposal,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    ...countsOf(total),
    ...(row === undefined ? { policies: [], first: null, last_at: null } : presentDenials(row)),
    hours: hours.map(presentHour),
  }
}
