import { checkTiers } from '@tapeline/contracts/config/check-tiers'
import { TierSnapshot } from '@tapeline/contracts/config/http'
import type { Logger } from '@tapeline/service/logger'
import { SnapshotCache, type Versioned } from '@tapeline/service/settings/snapshot-cache'
import type { TiersReport } from '../operations/worker-report.ts'

export type TierDocuments = SnapshotCache<typeof TierSnapshot>
export type TierDocumentsOptions = {
  /** Last good snapshot, used at a start without config. */
  file: string
  /** Undefined: nothing is newer than `cached`. The documents are validated here. */
  fetchSnapshot: (cached: Versioned | undefined) => Promise<unknown>
  logger: Logger
}

/** The last valid tier documents of config: documents that contradict themselves never replace them. */
export function createTierDocuments({ file, fetchSnapshot, logger }: TierDocumentsOptions): TierDocuments {
  return new SnapshotCache({
    name: 'tier documents',
    schema: TierSnapshot,
    file,
    fetchSnapshot,
    logger,
    faultOf({ version, tiers }) {
      const [first] = checkTiers(tiers).problems
      return first === undefined ? undefined : `version ${version}: ${first.field} ${first.message}`
    },
  })
}

export function reportTiers({ snapshot, origin, refused }: TierDocuments): TiersReport {
  return { version: snapshot?.version ?? 0, origin, refused }
}
