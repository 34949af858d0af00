import type { UserActor } from '@tapeline/contracts/actor'
import { type DashboardMetricsQuery, METRICS_PERIOD_DEFAULT, type UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { readPeriod } from './read-period.ts'
import { readStatuses } from './read-statuses.ts'
import { reportUsage } from './report-usage.ts'

/** Report of the metrics page: totals and the series of a period, with a row per endpoint. */
export async function showDashboardMetrics(
  deps: Deps,
  actor: UserActor,
  { route, apiKeyId, status, outcome, ...query }: DashboardMetricsQuery,
): Promise<UsageReport> {
  const fallback = METRICS_PERIOD_DEFAULT
  const period = readPeriod(deps, query, fallback)
  const statuses = status === undefined ? undefined : readStatuses(status)
  const filter = { route, keyId: apiKeyId, statuses, outcome }
  return reportUsage(deps, actor, { period, fallback, groupBy: 'endpoint', ...filter })
}
