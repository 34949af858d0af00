import { Affected } from '@tapeline/contracts/config/flags'
import { EmailState } from '@tapeline/contracts/identity/email'
import { AppError } from '@tapeline/service/app-error'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { Deps } from './deps.ts'

const TIMEOUT_MS = 5_000

/** Creates the calls to identity; each has a timeout. */
export function createIdentityClient(
  baseUrl: string,
  keys: InternalKeys,
): Pick<Deps, 'findEmailState' | 'countAccounts'> {
  const identity = createServiceClient({ caller: 'config', audience: 'identity', baseUrl, keys, timeoutMs: TIMEOUT_MS })
  return {
    findEmailState: (id) =>
      identity.call({ path: `/internal/accounts/${encodeURIComponent(id)}/email`, answer: EmailState }),
    async countAccounts(question) {
      const path = '/internal/accounts/count'
      const affected = await identity.call({ path, method: 'POST', body: question, answer: Affected })
      if (affected === undefined) {
        throw new AppError(
          'service.unavailable',
          'The number of accounts is not available at the moment. Try again later.',
          { isPartial: true },
        )
      }
      return affected
    },
  }
}
