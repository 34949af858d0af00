import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { ShadowConfig } from './shadow-limits.ts'
import { TierLimits, TierConfig } from './tiers.ts'
import { Revision } from './version.ts'

export const FlagView = Type.Object({
  key: Type.String(),
  enabled: Type.Boolean(),
  description: Type.Union([Type.String(), Type.Null()]),
  metadata: Type.Object({ category: Type.Optional(Type.String()), priority: Type.Optional(Type.Integer()) }),
})
export type FlagView = Static<typeof FlagView>

/** `GET /api/v1/internal/user/feature-flags`, public. `featureFlags` are the names of the enabled ones. */
export const UserFlags = Type.Object({ featureFlags: Type.Array(Type.String()), flags: Type.Array(FlagView) })
export type UserFlags = Static<typeof UserFlags>

/** `GET /api/v1/internal/subscription/pricing`. */
export const Pricing = TierConfig
export type Pricing = Static<typeof Pricing>

/** Settings as an object (or as the JSON string that was saved), with the version to send with an edit. */
export const UserConfigs = Type.Object({
  user_settings: Type.Optional(Type.Unknown()),
  user_settings_version: Type.Optional(Type.Integer()),
})

/** The part of a user's details that config provides: `GET /internal/accounts/{id}/profile?role=`. */
export const AccountProfile = Type.Object({
  tier: Tier,
  time_zone: Type.String(),
  featureFlags: Type.Array(Type.String()),
  flags: Type.Array(FlagView),
  configs: UserConfigs,
  globalConfigs: Type.Record(Type.String(), Type.Unknown()),
})
export type AccountProfile = Static<typeof AccountProfile>

/** What the gateway caches of a subscription: `GET /internal/subscriptions/{account}`; created on first read. */
export const SubscriptionRecord = Type.Object({
  account_id: Type.String(),
  version: Type.Integer(),
  tier: Tier,
  /** RFC 3339; months begin on this day at 00:00 UTC. */
  anchor: Type.String(),
  trial_ends_at: Type.Union([Type.String(), Type.Null()]),
  /** The tier after the trial; absent or null: the free tier. */
  tier_after_trial: Type.Optional(Type.Union([Tier, Type.Null()])),
  /** The account's own limits, which replace its tier's. */
  rate_limits: Type.Union([TierLimits, Type.Null()]),
  time_zone: Type.String(),
})
export type SubscriptionRecord = Static<typeof SubscriptionRecord>

/**
 * Tier documents with the version of their last change: `GET /internal/tiers`. 304 when `known` and `revision` are
 * current.
 */
export const TierSnapshot = Type.Object({
  version: Type.Integer(),
  revision: Revision,
  tiers: TierConfig,
  /** Absent: none, or sent before there were any. */
  shadow: Type.Optional(ShadowConfig),
})
export type TierSnapshot = Static<typeof TierSnapshot>
