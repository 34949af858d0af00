import type { GlobalConfig } from '@tapeline/contracts/config/global-configs'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'

/** Presents the tier documents as a configuration; their own verbs store and validate them. */
export function presentTierConfig({ version, tiers, written_by, written_at }: TierEdition): GlobalConfig {
  return {
    id: TIERS_KEY,
    value: tiers,
    version,
    category: 'subscription_tier_config',
    is_public: false,
    description: 'Prices, limits, features and support of each tier. One tier alone: PUT /api/v1/admin/tiers/{tier}.',
    is_known: true,
    updated_at: written_at,
    updated_by: written_by,
  }
}
