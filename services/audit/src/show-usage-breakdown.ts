import type { UserActor } from '@tapeline/contracts/actor'
import { KEY_AUDIT_PERIOD_DEFAULT, type UsageBreakdownQuery, type UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from './deps.ts'
import { reportUsage } from './report-usage.ts'

/** A row per endpoint, key, status or outcome. */
export function showUsageBreakdown(
  deps: Deps,
  actor: UserActor,
  { period = KEY_AUDIT_PERIOD_DEFAULT, groupBy = 'endpoint', route, apiKeyId }: UsageBreakdownQuery,
): Promise<UsageReport> {
  return reportUsage(deps, actor, { period, groupBy, route, keyId: apiKeyId })
}
