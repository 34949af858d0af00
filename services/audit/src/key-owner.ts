import type { UserActor } from '@tapeline/contracts/actor'
import type { ServiceClient } from '@tapeline/service/calls/call-service'
import { Type } from 'typebox'

/** Asks api-key on the user's behalf; undefined when it does not answer. */
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
