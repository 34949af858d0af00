import type { Tier, UserActor } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { SettleProposal } from '@tapeline/contracts/config/shadow-limits'
import { type ProposalWriter, settleProposal } from './settle-proposal.ts'

/** Removes a tier's shadow limits; its limits stay as they are. @throws AppError tier.no_shadow_limits */
export function withdrawProposal(
  deps: ProposalWriter,
  actor: UserActor,
  tier: Tier,
  settle: SettleProposal,
): Promise<TierEdition> {
  return settleProposal(deps, actor, tier, { settle, documentsAfter: (newest) => newest })
}
