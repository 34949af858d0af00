import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { Reason } from './flags.ts'
import { ConfigDifference } from './global-configs.ts'
import { RateLimits, TierConfig, TierFeatures } from './tiers.ts'
import { Version } from './version.ts'

const closed = { additionalProperties: false }
const reason = { reason: Type.Optional(Reason) }

/** Tiers that are more than the free one, from the smaller to the greater. */
export const PAID_TIERS = ['basic', 'pro'] as const
export const PaidTier = Type.Enum(PAID_TIERS)
export type PaidTier = Static<typeof PaidTier>

/** A trial that runs: until `ends_at`, then the account has `tier_after`. */
export const RunningTrial = Type.Object({
  tier: Tier,
  ends_at: Type.String(),
  /** Begun days. */
  days_left: Type.Integer(),
  tier_after: Tier,
})
export type RunningTrial = Static<typeof RunningTrial>

/** What could be tried. `included`: the account has that tier or a greater one; `used`: it had its trial. */
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
  /** What holds; the account's own where it has some. */
  rate_limits: RateLimits,
  has_own_limits: Type.Boolean(),
  features: TierFeatures,
  /** Rises with each change. */
  version: Type.Integer(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type Plan = Static<typeof Plan>

/** `POST /api/v1/internal/subscription/trial`: once per account and tier, no card. */
export const StartTrial = Type.Object({ tier: PaidTier }, closed)
export type StartTrial = Static<typeof StartTrial>

/** `POST /api/v1/internal/subscription/cancel`: what the caller saw; a plan of another kind or version is a conflict. */
export const CancelPlan = Type.Object(
  { what: Type.Union([Type.Literal('trial'), Type.Literal('plan')]), version: Type.Optional(Version) },
  closed,
)
export type CancelPlan = Static<typeof CancelPlan>

/** `PUT /api/v1/admin/subscriptions/{account}`: what is absent stays; `rateLimits: null` gives the tier's back. */
export const SetPlan = Type.Object(
  {
    tier: Type.Optional(Tier),
    rateLimits: Type.Optional(Type.Union([RateLimits, Type.Null()])),
    /** The version that was read; another one by now is a conflict. */
    version: Type.Optional(Version),
    ...reason,
  },
  closed,
)
export type SetPlan = Static<typeof SetPlan>

/** Accounts on a tier now; those with limits of their own keep them when the tier's limits change. */
const TierAccounts = Type.Object({ accounts: Type.Integer(), with_own_limits: Type.Integer() })

/** Tier documents as admins see them. */
export const TierEdition = Type.Object({
  version: Type.Integer(),
  tiers: TierConfig,
  written_by: Type.String(),
  written_at: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  /** Only in the answer of `GET`. */
  accounts: Type.Optional(Type.Object({ free: TierAccounts, basic: TierAccounts, pro: TierAccounts })),
})
export type TierEdition = Static<typeof TierEdition>

/** `GET /api/v1/admin/tiers`: the documents that hold, or that held at a time or under a version. */
export const ReadTiersQuery = Type.Object(
  { at: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })), version: Type.Optional(Version) },
  closed,
)
export type ReadTiersQuery = Static<typeof ReadTiersQuery>

/** `PUT /api/v1/admin/tiers`. The documents are checked by the verb, which names every wrong field. */
export const ReplaceTiers = Type.Object({ tiers: Type.Unknown(), version: Version, ...reason }, closed)
export type ReplaceTiers = Static<typeof ReplaceTiers>

/** `PUT /api/v1/admin/tiers/{tier}`. */
export const ReplaceTier = Type.Object({ document: Type.Unknown(), version: Version, ...reason }, closed)
export type ReplaceTier = Static<typeof ReplaceTier>

/** `POST /api/v1/admin/tiers/undo`: the documents of `to`, or of the version before, as a new version. */
export const UndoTiers = Type.Object({ version: Version, to: Type.Optional(Version), ...reason }, closed)
export type UndoTiers = Static<typeof UndoTiers>

export const TierHistoryQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    /** Only versions below this one: the next page. */
    before: Type.Optional(Version),
  },
  closed,
)
export type TierHistoryQuery = Static<typeof TierHistoryQuery>

/** Newest first, each with what it changed. */
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
