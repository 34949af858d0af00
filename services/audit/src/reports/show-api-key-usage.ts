import type { UserActor } from '@tapeline/contracts/actor'
import { type ApiKeyUsageQuery, KEY_AUDIT_PERIOD_DEFAULT, type UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { readPeriod } from './read-period.ts'
import { reportUsage } from './report-usage.ts'

/** Usage by key, or of one key; requests of a signed-in user are the row `session`. */
export async function showApiKeyUsage(
  deps: Deps,
  actor: UserActor,
  { apiKeyId, ...query }: ApiKeyUsageQuery,
): Promise<UsageReport> {
  const fallback = KEY_AUDIT_PERIOD_DEFAULT
  const period = readPeriod(deps, query, fallback)
  return reportUsage(deps, actor, { period, fallback, groupBy: 'key', route: undefined, keyId: apiKeyId })
}
