import type { Tier, UserActor } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { SettleProposal, ShadowConfig, ShadowLimits } from '@tapeline/contracts/config/shadow-limits'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { editTiers } from './edit-tiers.ts'

type Writer = Pick<Deps, 'db' | 'now' | 'newId'>

/** Removes a tier's shadow limits; its limits stay as they are. @throws AppError tier.no_shadow_limits */
export function withdrawProposal(
  deps: Writer,
  actor: UserActor,
  tier: Tier,
  settle: SettleProposal,
): Promise<TierEdition> {
  return settleProposal(deps, actor, tier, { settle, documentsAfter: (newest) => newest })
}

/** Makes a tier's shadow limits its limits; stream limits stay. @throws AppError tier.no_shadow_limits */
export function enforceProposal(
  deps: Writer,
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

type Settled = {
  settle: SettleProposal
  documentsAfter: (newest: TierConfig | undefined, proposal: ShadowLimits) => unknown
}

function settleProposal(
  deps: Writer,
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
