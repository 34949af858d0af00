import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { Reason } from './flags.ts'
import { ConfigDifference } from './global-configs.ts'
import { ShadowConfig } from './shadow-limits.ts'
import { TierLimits, TierConfig, TierFeatures } from './tiers.ts'
import { Version } from './version.ts'

const closed = { additionalProperties: false }
const reason = { reason: Type.Optional(Reason) }

/** Paid tiers, from the smallest to the largest. */
export const PAID_TIERS = ['basic', 'pro'] as const
export const PaidTier = Type.Enum(PAID_TIERS)
export type PaidTier = Static<typeof PaidTier>

/** A trial in progress: it ends at `ends_at`, then the account moves to `tier_after`. */
export const RunningTrial = Type.Object({
  tier: Tier,
  ends_at: Type.String(),
  /** Days left, rounded up. */
  days_left: Type.Integer(),
  tier_after: Tier,
})
export type RunningTrial = Static<typeof RunningTrial>

/** A trial the account could start. `included`: its tier is this or a larger one; `used`: it had its trial. */
export const TrialOffer = Type.Object({
  tier: PaidTier,
  days: Type.Integer(),
  state: Type.Enum(['available', 'running', 'used', 'included', 'not_offered']),
})
export type TrialOffer = Static<typeof TrialOffer>

/** `GET /api/v1/internal/subscription`. */
export const Plan = Type.Object({
  tier: Tier,
  name: Type.String(),
  trial: Type.Union([RunningTrial, Type.Null()]),
  trials: Type.Array(TrialOffer),
  /** Effective limits: the account's custom ones if set, otherwise its tier's. */
  rate_limits: TierLimits,
  has_own_limits: Type.Boolean(),
  features: TierFeatures,
  /** Incremented by each change. */
  version: Type.Integer(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type Plan = Static<typeof Plan>

/** `POST /api/v1/internal/subscription/trial`: once per account and tier, no card. */
export const StartTrial = Type.Object({ tier: PaidTier }, closed)
export type StartTrial = Static<typeof StartTrial>

/**
 * `POST /api/v1/internal/subscription/cancel`: identifies the plan to cancel; another plan kind or version is a
 * conflict.
 */
export const CancelPlan = Type.Object(
  { what: Type.Union([Type.Literal('trial'), Type.Literal('plan')]), version: Type.Optional(Version) },
  closed,
)
export type CancelPlan = Static<typeof CancelPlan>

/**
 * `PUT /api/v1/admin/subscriptions/{account}`: absent fields keep their value, except that a lower tier removes custom
 * limits; `rateLimits: null` restores the tier's limits.
 */
export const SetPlan = Type.Object(
  {
    tier: Type.Optional(Tier),
    rateLimits: Type.Optional(Type.Union([TierLimits, Type.Null()])),
    /** The version that was read; 409 when the plan has changed since. */
    version: Type.Optional(Version),
    ...reason,
  },
  closed,
)
export type SetPlan = Static<typeof SetPlan>

/** Accounts on a tier. Those with custom limits keep them when the tier's limits change. */
const TierAccounts = Type.Object({ accounts: Type.Integer(), with_own_limits: Type.Integer() })

/** Tier documents as presented to admins. */
export const TierEdition = Type.Object({
  version: Type.Integer(),
  tiers: TierConfig,
  /** Limits that are evaluated in addition to the tier's own and not enforced. */
  shadow: ShadowConfig,
  written_by: Type.String(),
  written_at: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Only in the response of `GET`. */
  accounts: Type.Optional(Type.Object({ free: TierAccounts, basic: TierAccounts, pro: TierAccounts })),
})
export type TierEdition = Static<typeof TierEdition>

/** `GET /api/v1/admin/tiers`: the current documents, or those at a time or version. */
export const ReadTiersQuery = Type.Object(
  { at: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })), version: Type.Optional(Version) },
  closed,
)
export type ReadTiersQuery = Static<typeof ReadTiersQuery>

/** `PUT /api/v1/admin/tiers`. The verb validates the documents and reports every invalid field. */
export const ReplaceTiers = Type.Object({ tiers: Type.Unknown(), version: Version, ...reason }, closed)
export type ReplaceTiers = Static<typeof ReplaceTiers>

/** `PUT /api/v1/admin/tiers/{tier}`. */
export const ReplaceTier = Type.Object({ document: Type.Unknown(), version: Version, ...reason }, closed)
export type ReplaceTier = Static<typeof ReplaceTier>

/**
 * `POST /api/v1/admin/tiers/undo`: stores the documents of version `to`, by default the previous one, as a new
 * version.
 */
export const UndoTiers = Type.Object({ version: Version, to: Type.Optional(Version), ...reason }, closed)
export type UndoTiers = Static<typeof UndoTiers>

export const TierHistoryQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    /** Only versions below this one; used for paging. */
    before: Type.Optional(Version),
  },
  closed,
)
export type TierHistoryQuery = Static<typeof TierHistoryQuery>

/** Newest first, each with its changes. */
export const TierHistory = Type.Object({
  editions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      written_by: Type.String(),
      written_at: Type.String(),
      reason: Type.Union([Type.String(), Type.Null()]),
      changes: Type.Array(ConfigDifference),
    }),
  ),
})
export type TierHistory = Static<typeof TierHistory>
