import { type Static, Type } from 'typebox'

const Limit = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** Requests per window (specification §9). Burst is per rolling second; the month starts at the account's anchor. */
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

export const TierDocument = Type.Object(
  {
    display: Type.Object({
      name: Type.String(),
      description: Type.String(),
      features: Type.Array(Type.String()),
      popular: Type.Boolean(),
      badge: Type.Union([Type.String(), Type.Null()]),
      color: Type.String(),
    }),
    billing: Type.Object({
      monthlyPrice: Type.Number({ minimum: 0 }),
      yearlyPrice: Type.Number({ minimum: 0 }),
      /** Percent saved by paying for a year. */
      yearlyDiscount: Type.Number({ minimum: 0, maximum: 100 }),
      currency: Type.String({ minLength: 3, maxLength: 3 }),
      /** Days. */
      trialPeriod: Type.Integer({ minimum: 0 }),
    }),
    rateLimits: RateLimits,
    features: TierFeatures,
    support: Type.Object({
      channels: Type.Array(Type.String()),
      responseTime: Type.String(),
      availability: Type.String(),
    }),
  },
  { additionalProperties: false },
)
export type TierDocument = Static<typeof TierDocument>

/** `subscription_tier_config`: the one source for pricing, limiter and dashboard. */
export const TierConfig = Type.Object(
  {
    free: TierDocument,
    basic: TierDocument,
    pro: TierDocument,
    metadata: Type.Object({ version: Type.String(), defaultTrialPeriod: Type.Integer({ minimum: 0 }) }),
  },
  { additionalProperties: false },
)
export type TierConfig = Static<typeof TierConfig>
