import type { TierSnapshot } from '@tapeline/contracts/config/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { findNewestTierDocument } from './tier-queries.ts'

/** The current tier documents with their version. @throws AppError service.unavailable */
export async function readTiers(deps: Pick<Deps, 'db'>): Promise<TierSnapshot> {
  const newest = await findNewestTierDocument(deps.db)
  if (newest === undefined) {
    throw new AppError('service.unavailable', 'The tiers are not set up yet.', {
      cause: new Error('no tier documents: run src/seed.ts'),
      retryAfterSeconds: 5,
    })
  }
  return { version: newest.version, revision: newest.revision, tiers: newest.config, shadow: newest.shadow }
}
