import type { UserActor } from '@tapeline/contracts/actor'
import type { ServiceScope } from '@tapeline/contracts/api-key/http'
import type { ServiceClient } from '@tapeline/service/calls/call-service'
import { Type } from 'typebox'

const OWNERSHIP_SCOPE: ServiceScope = 'keys:read'

/**
 * Checks a key's owner with a call to api-key on the user's behalf; undefined when it does not respond. A service key
 * that may read usage needs no additional scope for this.
 */
export function createKeyOwner(apiKey: ServiceClient) {
  return async (actor: UserActor, keyId: string): Promise<boolean | undefined> => {
    try {
      const caller = { ...actor, scopes: [...actor.scopes, OWNERSHIP_SCOPE] }
      const key = await apiKey.call({
        path: `/api/v1/internal/api-keys/${keyId}`,
        actor: caller,
        answer: Type.Unknown(),
      })
      return key !== undefined
    } catch {
      return undefined
    }
  }
}
