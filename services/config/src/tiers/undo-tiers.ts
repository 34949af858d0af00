import type { UserActor } from '@tapeline/contracts/actor'
import type { TierEdition, UndoTiers } from '@tapeline/contracts/config/plans'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { editTiers } from './edit-tiers.ts'
import { findTierDocument } from './tier-queries.ts'

/** Restores the previous documents, or those of version `to`, as a new version; the history is never shortened. */
export async function undoTiers(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { version, to = version - 1, reason }: UndoTiers,
): Promise<TierEdition> {
  const earlier = await findTierDocument(deps.db, to)
  if (earlier === undefined) {
    throw to === 0
      ? new AppError('tier.nothing_to_undo', 'There is no earlier version of the tier documents.')
      : new AppError('tier.version_not_found', 'There are no tier documents with this version or at this time.')
  }
  return editTiers(deps, actor, {
    version,
    reason: reason ?? `back to version ${to}`,
    documentsAfter: () => earlier.config,
    fieldOf: (field) => field,
  })
}
