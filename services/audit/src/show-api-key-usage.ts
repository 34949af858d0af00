import type { UserActor } from '@tapeline/contracts/actor'
import { type ApiKeyUsageQuery, KEY_AUDIT_PERIOD_DEFAULT, type UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from './deps.ts'
import { reportUsage } from './report-usage.ts'

/** What each key, or one of them, was used for; requests of a signed-in user are the row `session`. */
export function showApiKeyUsage(
  deps: Deps,
  actor: UserActor,
  { period = KEY_AUDIT_PERIOD_DEFAULT, apiKeyId }: ApiKeyUsageQuery,
): Promise<UsageReport> {
  return reportUsage(deps, actor, { period, groupBy: 'key', route: undefined, keyId: apiKeyId })
}
