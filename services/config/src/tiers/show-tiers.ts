import type { ReadTiersQuery, TierEdition } from '@tapeline/contracts/config/plans'
import { AppError } from '@tapeline/service/app-error'
import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { countAccountsByTier } from '../subscriptions/subscription-queries.ts'
import type { Tables } from '../tables.ts'
import { presentEdition } from './present-edition.ts'
import { findNewestTierDocument, findTierDocument, findTierDocumentAt } from './tier-queries.ts'

/**
 * For admins: the current documents, or those of a given version or time, with the number of accounts on each tier now.
 * @throws AppError tier.version_not_found
 */
export async function showTiers(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { at, version }: ReadTiersQuery,
): Promise<TierEdition> {
  const row = await (version !== undefined
    ? findTierDocument(db, version)
    : at !== undefined
      ? findTierDocumentAt(db, new Date(at))
      : findNewestTierDocument(db))
  if (row === undefined)
    throw new AppError('tier.version_not_found', 'There are no tier documents with this version or at this time.')
  return { ...presentEdition(row), accounts: await countByTier(db, now()) }
}

async function countByTier(db: Kysely<Tables>, now: Date): Promise<NonNullable<TierEdition['accounts']>> {
  const counts = new Map((await countAccountsByTier(db, now)).map(({ tier, ...count }) => [tier, count]))
  const none = { accounts: 0, with_own_limits: 0 }
  return { free: counts.get('free') ?? none, basic: counts.get('basic') ?? none, pro: counts.get('pro') ?? none }
}
