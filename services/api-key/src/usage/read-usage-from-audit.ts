import { UsageReport } from '@tapeline/contracts/audit/http'
import { AppError } from '@tapeline/service/app-error'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { Deps } from '../deps.ts'

/** Longer than audit takes for its longest period, shorter than the gateway's timeout. */
const TIMEOUT_MS = 5_000

/** @throws AppError service.unavailable */
export function readUsageFromAudit(baseUrl: string, keys: InternalKeys): Deps['readKeyUsage'] {
  const audit = createServiceClient({ caller: 'api-key', audience: 'audit', baseUrl, keys, timeoutMs: TIMEOUT_MS })
  return async (question) => {
    const report = await audit.call({
      path: '/internal/key-usage',
      method: 'POST',
      body: question,
      answer: UsageReport,
    })
    if (report === undefined) {
      throw new AppError('service.unavailable', 'The usage cannot be read at the moment.', { isPartial: true })
    }
    return report
  }
}
