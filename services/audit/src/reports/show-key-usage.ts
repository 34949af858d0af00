import { KEY_AUDIT_PERIOD_DEFAULT, type KeyUsageRequest, type UsageReport } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { reportUsage } from './report-usage.ts'

/** Usage of one key. Only api-key calls this, after it has checked the key's owner, so it is not checked again. */
export function showKeyUsage(deps: Deps, { owner, key_id, days, group_by }: KeyUsageRequest): Promise<UsageReport> {
  return reportUsage({ ...deps, ownsKey: async () => true }, owner, {
    period: { days },
    fallback: KEY_AUDIT_PERIOD_DEFAULT,
    groupBy: group_by,
    route: undefined,
    keyId: key_id,
  })
}
