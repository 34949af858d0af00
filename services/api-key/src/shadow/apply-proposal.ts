import type { UserActor } from '@tapeline/contracts/actor'
import type { ApplyKeyLimits, KeyAnswer } from '@tapeline/contracts/api-key/http'
import { AppError } from '@tapeline/service/app-error'
import { changeShadow, proposalOf, type ShadowDeps } from './change-shadow.ts'

/**
 * Makes the shadow limits of a key its enforced limits; they replace the current ones.
 * @throws AppError api_key.no_shadow_limits, or api_key.shadow_changed for another proposal
 */
export function applyProposal(
  deps: ShadowDeps,
  actor: UserActor,
  keyId: string,
  { proposal }: ApplyKeyLimits,
): Promise<KeyAnswer> {
  return changeShadow(deps, actor, keyId, (old) => {
    const { id, rate_limits } = proposalOf(old)
    if (id === proposal.toLowerCase()) return { rate_limits, shadow_limits: null }
    throw new AppError('api_key.shadow_changed', 'Other shadow limits were set for this API key in the meantime.')
  })
}
