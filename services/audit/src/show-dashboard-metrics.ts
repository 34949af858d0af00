import type { UserActor } from '@tapeline/contracts/actor'
import { type DashboardMetricsQuery, METRICS_PERIOD_DEFAULT, type UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from './deps.ts'
import { reportUsage } from './report-usage.ts'

/** The metrics page: totals and the series of a period, with a row per endpoint. */
export function showDashboardMetrics(
  deps: Deps,
  actor: UserActor,
  { period = METRICS_PERIOD_DEFAULT, route, apiKeyId }: DashboardMetricsQuery,
): Promise<UsageReport> {
  return reportUsage(deps, actor, { period, groupBy: 'endpoint', route, keyId: apiKeyId })
}
