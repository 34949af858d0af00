import { AccountProfile } from '@tapeline/contracts/config/http'
import type { ServiceClient } from '@tapeline/service/calls/call-service'
import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'

/** Reads the profile from config; a sign-in never fails because config is unavailable. */
export function createProfileFinder(config: ServiceClient, logger: Logger): Deps['findProfile'] {
  return async (accountId, role) => {
    try {
      return await config.call({ path: `/internal/accounts/${accountId}/profile?role=${role}`, answer: AccountProfile })
    } catch (err) {
      logger.warn({ err }, 'user details: config is unavailable; the user is returned without flags')
      return undefined
    }
  }
}
