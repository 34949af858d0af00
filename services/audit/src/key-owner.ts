import type { UserActor } from '@tapeline/contracts/actor'
import type { ServiceClient } from '@tapeline/service/calls/call-service'
import { Type } from 'typebox'

/** Checks a key's owner with a call to api-key on the user's behalf; undefined when it does not respond. */
export function createKeyOwner(apiKey: ServiceClient) {
  return async (actor: UserActor, keyId: string): Promise<boolean | undefined> => {
    try {
      const key = await apiKey.call({ path: `/api/v1/internal/api-keys/${keyId}`, actor, answer: Type.Unknown() })
      return key !== undefined
    } catch {
      return undefined
    }
  }
}
