import type { UserActor } from '@tapeline/contracts/actor'
import { KEY_AUDIT_PERIOD_DEFAULT, type UsageBreakdownQuery, type UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { readPeriod } from './read-period.ts'
import { reportUsage } from './report-usage.ts'

/** Usage by endpoint, key, status, outcome, hour of the day or network. */
export async function showUsageBreakdown(
  deps: Deps,
  actor: UserActor,
  { groupBy = 'endpoint', route, apiKeyId, ...query }: UsageBreakdownQuery,
): Promise<UsageReport> {
  const fallback = KEY_AUDIT_PERIOD_DEFAULT
  const period = readPeriod(deps, query, fallback)
  return reportUsage(deps, actor, { period, fallback, groupBy, route, keyId: apiKeyId })
}
