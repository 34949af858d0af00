import type { Tier, UserActor } from '@tapeline/contracts/actor'
import type { ReplaceTier, TierEdition } from '@tapeline/contracts/config/plans'
import type { Deps } from '../deps.ts'
import { editTiers } from './edit-tiers.ts'

/** Replaces the document of one tier, for admins. */
export function replaceTier(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  tier: Tier,
  { document, version, reason }: ReplaceTier,
): Promise<TierEdition> {
  return editTiers(deps, actor, {
    version,
    reason,
    documentsAfter: (newest) => ({ ...newest, [tier]: document }),
    fieldOf: (field) => (field.startsWith(`/${tier}`) ? `/document${field.slice(tier.length + 1)}` : field),
  })
}
