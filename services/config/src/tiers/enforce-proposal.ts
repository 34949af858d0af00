import type { Tier, UserActor } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { SettleProposal } from '@tapeline/contracts/config/shadow-limits'
import { type ProposalWriter, settleProposal } from './settle-proposal.ts'

/** Makes a tier's shadow limits its limits; stream limits stay. @throws AppError tier.no_shadow_limits */
export function enforceProposal(
  deps: ProposalWriter,
  actor: UserActor,
  tier: Tier,
  settle: SettleProposal,
): Promise<TierEdition> {
  return settleProposal(deps, actor, tier, {
    settle,
    documentsAfter(newest, { rateLimits }) {
      const document = newest?.[tier]
      return { ...newest, [tier]: { ...document, rateLimits: { ...document?.rateLimits, ...rateLimits } } }
    },
  })
}
