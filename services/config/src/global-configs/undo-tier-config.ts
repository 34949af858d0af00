import type { UserActor } from '@tapeline/contracts/actor'
import type { UndoConfig, UpdatedConfig } from '@tapeline/contracts/config/global-configs'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import type { Deps } from '../deps.ts'
import { findNewestTierDocument } from '../tiers/tier-queries.ts'
import { undoTiers } from '../tiers/undo-tiers.ts'
import { presentTierConfig } from './present-tier-config.ts'

/** Undo through the tiers' own verb, whose errors are passed on. */
export async function undoTierConfig(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { version, reason }: UndoConfig,
): Promise<UpdatedConfig> {
  const seen = version ?? (await findNewestTierDocument(deps.db))?.version ?? 1
  const edition = await undoTiers(deps, actor, { version: seen, ...(reason === undefined ? {} : { reason }) })
  return { key: TIERS_KEY, ...presentTierConfig(edition) }
}
