import { type Static, Type } from 'typebox'

const Limit = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** Requests per window. Burst is per rolling second; the month starts at the account's anchor. */
export const RateLimits = Type.Object(
  {
    requestsPerMinute: Limit,
    requestsPerHour: Limit,
    requestsPerDay: Limit,
    requestsPerMonth: Limit,
    burstLimit: Limit,
    concurrentRequests: Limit,
  },
  { additionalProperties: false },
)
export type RateLimits = Static<typeof RateLimits>

/**
 * Limits of a tier, or of an account that has its own: also open streams at a time, and messages per second that each of
 * them receives. Absent: those of the shipped tier (`streamLimitsOf`).
 */
export const TierLimits = Type.Object(
  {
    ...RateLimits.properties,
    streamConnections: Type.Optional(Limit),
    streamMessagesPerSecond: Type.Optional(Limit),
  },
  { additionalProperties: false },
)
export type TierLimits = Static<typeof TierLimits>

export const FEATURES = [
  'apiAccess',
  'realTimeData',
  'historicalData',
  'basicAnalytics',
  'advancedAnalytics',
  'customReports',
  'dataExport',
  'webhooks',
  'apiKeyManagement',
  'emailSupport',
  'prioritySupport',
  'dedicatedSupport',
] as const
export type Feature = (typeof FEATURES)[number]

const flag = Type.Boolean()
export const TierFeatures = Type.Object(
  {
    apiAccess: flag,
    realTimeData: flag,
    historicalData: flag,
    basicAnalytics: flag,
    advancedAnalytics: flag,
    customReports: flag,
    dataExport: flag,
    webhooks: flag,
    apiKeyManagement: flag,
    emailSupport: flag,
    prioritySupport: flag,
    dedicatedSupport: flag,
  },
  { additionalProperties: false },
)
export type TierFeatures = Static<typeof TierFeatures>

const NAME_MAX = 60
const SENTENCE_MAX = 300
const ENTRIES_MAX = 30
const TRIAL_DAYS_MAX = 365
const PRICE_MAX = 1_000_000
const closed = { additionalProperties: false }
const name = Type.String({ maxLength: NAME_MAX })
const trialDays = Type.Integer({ minimum: 0, maximum: TRIAL_DAYS_MAX })
const price = Type.Number({ minimum: 0, maximum: PRICE_MAX })

export const TierDocument = Type.Object(
  {
    display: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: NAME_MAX }),
        description: Type.String({ maxLength: SENTENCE_MAX }),
        features: Type.Array(Type.String({ maxLength: SENTENCE_MAX }), { maxItems: ENTRIES_MAX }),
        popular: Type.Boolean(),
        badge: Type.Union([name, Type.Null()]),
        color: name,
      },
      closed,
    ),
    billing: Type.Object(
      {
        monthlyPrice: price,
        yearlyPrice: price,
        /** Percent saved by paying yearly. */
        yearlyDiscount: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
        /** ISO 4217. */
        currency: Type.String({ pattern: '^[A-Z]{3}$' }),
        /** Days; 0: no trial. */
        trialPeriod: trialDays,
      },
      closed,
    ),
    rateLimits: TierLimits,
    features: TierFeatures,
    support: Type.Object(
      { channels: Type.Array(name, { maxItems: ENTRIES_MAX }), responseTime: name, availability: name },
      closed,
    ),
  },
  closed,
)
export type TierDocument = Static<typeof TierDocument>

/** Format version of the documents. A reader does not apply documents of an unsupported format. */
export const TIER_CONFIG_VERSION = '2.0.0'

/** `subscription_tier_config`: the only source for pricing, limits, features and support. */
export const TierConfig = Type.Object(
  {
    free: TierDocument,
    basic: TierDocument,
    pro: TierDocument,
    metadata: Type.Object({ version: Type.Literal(TIER_CONFIG_VERSION), defaultTrialPeriod: trialDays }, closed),
  },
  closed,
)
export type TierConfig = Static<typeof TierConfig>
