import type { Tier, UserActor } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { SettleProposal, ShadowConfig, ShadowLimits } from '@tapeline/contracts/config/shadow-limits'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { editTiers } from './edit-tiers.ts'

export type ProposalWriter = Pick<Deps, 'db' | 'now' | 'newId'>

type Settled = {
  settle: SettleProposal
  documentsAfter: (newest: TierConfig | undefined, proposal: ShadowLimits) => unknown
}

/**
 * Removes a tier's shadow limits in an edit of the tier documents, which become `documentsAfter`.
 * @throws AppError tier.no_shadow_limits
 */
export function settleProposal(
  deps: ProposalWriter,
  actor: UserActor,
  tier: Tier,
  { settle: { version, reason }, documentsAfter }: Settled,
): Promise<TierEdition> {
  return editTiers(deps, actor, {
    version,
    reason,
    documentsAfter(newest, shadow) {
      const proposal = shadow[tier]
      if (proposal !== undefined) return documentsAfter(newest, proposal)
      throw new AppError('tier.no_shadow_limits', 'This tier has no shadow limits.')
    },
    shadowAfter: (shadow) => without(shadow, tier),
    fieldOf: (field) => field,
  })
}

function without(shadow: ShadowConfig, tier: Tier): ShadowConfig {
  const { [tier]: _settled, ...others } = shadow
  return others
}
