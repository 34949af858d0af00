import type { Role, Tier } from '@tapeline/contracts/actor'
import type { PaidTier } from '@tapeline/contracts/config/plans'
import type { UserSettings } from '@tapeline/contracts/config/settings'
import type { FlagState } from '@tapeline/contracts/config/flags'
import type { ConfigState } from '@tapeline/contracts/config/global-configs'
import type { ShadowConfig } from '@tapeline/contracts/config/shadow-limits'
import type { TierLimits, TierConfig } from '@tapeline/contracts/config/tiers'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { OutboxTable } from '@tapeline/database/outbox-table'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** The tier documents, one row per version; the highest version is current. */
export type TierDocumentTable = {
  version: number
  config: ColumnType<TierConfig, string, never>
  /** `seed`, or the id of the user who changed them: a seed never overwrites a user's change. */
  written_by: string
  created_at: Date
  reason: string | null
  revision: Generated<string>
  /** Shadow limits by tier: evaluated and not enforced. */
  shadow: ColumnType<ShadowConfig, string | undefined, never>
}

export type SubscriptionTable = {
  account_id: string
  tier: Tier
  /** Set once: months begin on this day. */
  anchor: ColumnType<Date, Date, never>
  trial_ends_at: Date | null
  /** Set during a trial: the tier after it. */
  tier_after_trial: Tier | null
  /** Number of the last notice of the trial's end; 0: none. */
  trial_notice: number
  /** Start of the next month to invoice of a paid plan; null: none. */
  next_invoice_at: Date | null
  /** Since when the account is inactive and not invoiced; null: it is active. */
  invoices_held_at: Date | null
  /** The account's custom limits, which replace its tier's. */
  rate_limits: ColumnType<TierLimits | null, string | null, string | null>
  time_zone: string
  version: number
  created_at: Date
  updated_at: Date
}

/** Trials of an account: at most one per tier. */
export type TrialTable = {
  account_id: string
  tier: PaidTier
  started_at: Date
  ends_at: Date
  ended_at: Date | null
  end_reason: TrialEndReason | null
}
export type TrialEndReason = 'over' | 'cancelled' | 'replaced'

/** Amount due for a month; published for payment services. */
export type InvoiceTable = {
  id: string
  account_id: string
  tier: PaidTier
  period_from: Date
  period_to: Date
  /** A decimal with two places. */
  amount: string
  currency: string
  issued_at: Date
}

/** The newest version is current; a few older ones are kept to compute the changes for an outdated tab. */
export type UserSettingsTable = {
  account_id: string
  version: number
  settings: ColumnType<UserSettings, string, never>
  saved_at: Date
}

export type FeatureFlagTable = {
  id: string
  key: string
  role: Role
  enabled: boolean
  is_active: boolean
  /** Also on for visitors who are not signed in. */
  is_public: boolean
  description: string | null
  category: string | null
  priority: number | null
  /** Percentage of accounts for which it is on. */
  rollout_percent: Generated<number>
  enabled_from: Date | null
  enabled_until: Date | null
  /** Incremented by each change. */
  version: Generated<number>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

/** A change of a flag, with the state before and after. */
export type FeatureFlagChangeTable = {
  flag_id: string
  version: number
  before: ColumnType<FlagState | null, string | null, never>
  after: ColumnType<FlagState, string, never>
  changed_by: string | null
  changed_at: Date
  reason: string | null
}

/** `state` null: the stored value was reverted, so the default applies. */
export type GlobalConfigTable = {
  id: string
  key: string
  state: ColumnType<ConfigState | null, string | null, string | null>
  version: number
  updated_by: string | null
  updated_at: Date
}

export type GlobalConfigChangeTable = {
  config_id: string
  version: number
  before: ColumnType<ConfigState | null, string | null, never>
  after: ColumnType<ConfigState | null, string | null, never>
  changed_by: string | null
  changed_at: Date
  reason: string | null
}

/** One row: the version of the platform snapshot. */
export type PlatformVersionTable = {
  is_only: Generated<boolean>
  version: number
  /** Changes with each version. */
  revision: Generated<string>
  /** Time until which scheduled flips were published; null: none yet. */
  flips_told_until: Date | null
}

export type Tables = ConsumerTables & {
  tier_document: TierDocumentTable
  subscription: SubscriptionTable
  trial: TrialTable
  invoice: InvoiceTable
  user_settings: UserSettingsTable
  feature_flag: FeatureFlagTable
  feature_flag_change: FeatureFlagChangeTable
  global_config: GlobalConfigTable
  global_config_change: GlobalConfigChangeTable
  platform_version: PlatformVersionTable
  outbox: OutboxTable
}

export type SubscriptionRow = Selectable<SubscriptionTable>
export type FeatureFlagRow = Selectable<FeatureFlagTable>
export type GlobalConfigRow = Selectable<GlobalConfigTable>
