import type { ReadTiersQuery, TierEdition } from '@tapeline/contracts/config/plans'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { presentEdition } from './present-edition.ts'
import { findNewestTierDocument, findTierDocument, findTierDocumentAt } from './tier-queries.ts'

/** For admins: the documents that hold now, under a version, or that held at a time. */
export async function showTiers({ db }: Pick<Deps, 'db'>, { at, version }: ReadTiersQuery): Promise<TierEdition> {
  const row = await (version !== undefined
    ? findTierDocument(db, version)
    : at !== undefined
      ? findTierDocumentAt(db, new Date(at))
      : findNewestTierDocument(db))
  if (row === undefined) throw new AppError('tier.version_not_found', 'There were no such tier documents.')
  return presentEdition(row)
}
