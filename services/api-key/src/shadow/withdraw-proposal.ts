import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyAnswer } from '@tapeline/contracts/api-key/http'
import { changeShadow, proposalOf, type ShadowDeps } from './change-shadow.ts'

/** Removes a key's proposed limits; its own stay as they are. @throws AppError api_key.no_shadow_limits */
export function withdrawProposal(deps: ShadowDeps, actor: UserActor, keyId: string): Promise<KeyAnswer> {
  return changeShadow(deps, actor, keyId, (old) => {
    proposalOf(old)
    return { shadow_limits: null }
  })
}
