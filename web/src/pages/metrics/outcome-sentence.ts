import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { formatCount } from '../../format/number.ts'

/** What a strip of outcomes shows, in words. */
export function outcomeSentence({ success, denied, client_errors, server_errors }: UsageReport): string {
  return t`${formatCount(success)} served, ${formatCount(denied)} throttled, ${formatCount(client_errors)} client errors, ${formatCount(server_errors)} server errors.`
}
