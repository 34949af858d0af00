import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { TierDocumentRow } from './tier-queries.ts'

/** A version of the tier documents as admins see it. */
export function presentEdition({
  version,
  config,
  shadow,
  written_by,
  created_at,
  reason,
}: TierDocumentRow): TierEdition {
  return { version, tiers: config, shadow, written_by, written_at: created_at.toISOString(), reason }
}
