import type { UserActor } from '@tapeline/contracts/actor'
import type { ConfigUpdate, FailedConfig, GlobalConfig, UpdatedConfig } from '@tapeline/contracts/config/global-configs'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { replaceTiers } from '../tiers/replace-tiers.ts'
import { findNewestTierDocument } from '../tiers/tier-queries.ts'

export type Result = { updated: UpdatedConfig } | { failed: FailedConfig }

/** The tier documents: one more configuration to whoever edits them, kept and checked by their own verbs. */
export const TIERS_KEY = 'subscription_tier_config'

/** Without a version the newest documents are replaced. */
export async function updateTierConfig(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { key, value, version }: ConfigUpdate,
  reason: string | undefined,
): Promise<Result> {
  const edited = version ?? (await findNewestTierDocument(deps.db))?.version ?? 1
  const said = reason === undefined ? {} : { reason }
  try {
    const edition = await replaceTiers(deps, actor, { tiers: value, version: edited, ...said })
    return { updated: { key, ...presentTierConfig(edition) } }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const code = error.code === 'tier.changed_meanwhile' ? 'global_config.changed_meanwhile' : error.code
    const errors = (error.errors ?? []).map(({ field, message }) => ({
      field: field.replace(/^[/]tiers/, '') || '/',
      message,
    }))
    return { failed: { key, error: error.message, code, errors } }
  }
}

export function presentTierConfig({ version, tiers, written_by, written_at }: TierEdition): GlobalConfig {
  return {
    id: TIERS_KEY,
    value: tiers,
    version,
    category: 'subscription_tier_config',
    is_public: false,
    description: 'Prices, limits, features and support of each tier. History and undo: /api/v1/admin/tiers.',
    is_known: true,
    updated_at: written_at,
    updated_by: written_by,
  }
}
