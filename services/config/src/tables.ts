import type { Role, Tier } from '@tapeline/contracts/actor'
import type { RateLimits, TierConfig } from '@tapeline/contracts/config/tiers'
import type { OutboxTable } from '@tapeline/database/outbox-table'
import type { ColumnType, Selectable } from 'kysely'

/** The tier documents, a row for every version; the highest one holds. */
export type TierDocumentTable = {
  version: number
  config: ColumnType<TierConfig, string, never>
  /** `seed`, or the id of the user who changed them: a seed never overwrites a user's change. */
  written_by: string
  created_at: Date
}

export type SubscriptionTable = {
  account_id: string
  tier: Tier
  /** Set once: months begin on this day. */
  anchor: ColumnType<Date, Date, never>
  trial_ends_at: Date | null
  /** The account's own limits, which replace its tier's. */
  rate_limits: ColumnType<RateLimits | null, string | null, string | null>
  time_zone: string
  version: number
  created_at: Date
  updated_at: Date
}

export type FeatureFlagTable = {
  id: string
  key: string
  role: Role
  enabled: boolean
  is_active: boolean
  /** Also for visitors who are not signed in. */
  is_public: boolean
  description: string | null
  category: string | null
  priority: number | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

export type Tables = {
  tier_document: TierDocumentTable
  subscription: SubscriptionTable
  feature_flag: FeatureFlagTable
  outbox: OutboxTable
}

export type SubscriptionRow = Selectable<SubscriptionTable>
export type FeatureFlagRow = Selectable<FeatureFlagTable>
