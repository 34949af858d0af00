import type { UserActor } from '@tapeline/contracts/actor'
import type { ReplaceTiers, TierEdition } from '@tapeline/contracts/config/plans'
import type { Deps } from '../deps.ts'
import { editTiers } from './edit-tiers.ts'

/** Replaces all tier documents, for admins. */
export function replaceTiers(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { tiers, version, reason }: ReplaceTiers,
): Promise<TierEdition> {
  return editTiers(deps, actor, { version, reason, documentsAfter: () => tiers, fieldOf: (field) => `/tiers${field}` })
}
