import type { UserActor } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { ShadowConfig } from '@tapeline/contracts/config/shadow-limits'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { recordRejectedChange } from '../record-rejected-change.ts'
import type { Tables } from '../tables.ts'
import { diffTiers } from './diff-tiers.ts'
import { showTiers } from './show-tiers.ts'
import { findTierDocument, type TierDocumentRow } from './tier-queries.ts'
import { writeTiers } from './write-tiers.ts'

export type TierEdit = {
  /** The version that was edited. */
  version: number
  reason: string | undefined
  documentsAfter: (newest: TierConfig | undefined, shadow: ShadowConfig) => unknown
  shadowAfter?: (shadow: ShadowConfig) => ShadowConfig
  /** Path in the request of a document's field. */
  fieldOf: (field: string) => string
}

/**
 * Applies an admin's change of the tier documents.
 * @throws AppError when the result is invalid, or `version` is not the newest
 */
export async function editTiers(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { version, reason, documentsAfter, shadowAfter, fieldOf }: TierEdit,
): Promise<TierEdition> {
  try {
    await writeTiers(deps, actor, {
      reason,
      shadowAfter,
      async documentsAfter(newest, trx) {
        if (newest !== undefined && newest.version !== version) throw await changedMeanwhile(trx, version, newest)
        return documentsAfter(newest?.config, newest?.shadow ?? {})
      },
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'tier.invalid') throw error
    const errors = (error.errors ?? []).map(({ field, message }) => ({ field: fieldOf(field), message }))
    await recordRejectedChange(deps, actor, { key: 'subscription_tier_config', failure: error, reason })
    throw new AppError('tier.invalid', error.message, { errors })
  }
  return showTiers(deps, {})
}

/** Names the changes made since the edited version. */
async function changedMeanwhile(trx: Transaction<Tables>, version: number, newest: TierDocumentRow): Promise<AppError> {
  const edited = await findTierDocument(trx, version)
  const changes = edited === undefined ? [] : diffTiers(edited, newest)
  return new AppError('tier.changed_meanwhile', `The version of the tier documents is now ${newest.version}.`, {
    errors: changes.map(({ path, before, after }) => ({
      field: path,
      message: `was ${JSON.stringify(before)}, is now ${JSON.stringify(after)}`,
    })),
  })
}
