import type { Tier } from '@tapeline/contracts/actor'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { type StreamLimits, streamLimitsOf } from '@tapeline/contracts/config/stream-limits'
import { FEATURES, type RateLimits, type TierConfig } from '@tapeline/contracts/config/tiers'
import type { ShadowConfig, ShadowLimits } from '@tapeline/contracts/config/shadow-limits'
import type { Limits } from '../usage/decision.ts'
import { type MonthPeriod, monthPeriodAt } from '@tapeline/contracts/config/month-period'

/** A subscription compiled for the limiter, until the record, the tier documents or the month change. */
export type AccountPlan = {
  tier: Tier
  features: string[]
  timeZone: string
  limits: Limits
  /** Decided in addition to `limits`, and not enforced. */
  shadow: ShadowPlan | undefined
  streams: StreamLimits
  /** Months begin on this day of the month. */
  anchor: Date
  month: MonthPeriod
  /** Start, end and following end of the month, as the script takes them. */
  monthArgv: readonly string[]
  policyHeader: string
  validUntilMs: number
}

/** Shadow limits with the id of their proposal, and as one argument of decide.lua. */
export type ShadowPlan = { proposal: string; argument: string }

/** Characters of a proposal's id that mark its windows in Redis: the random ones. */
const MARK_CHARACTERS = 8

/** After a trial the previous tier applies; a change of tier keeps all counters. */
export function compilePlan(
  record: SubscriptionRecord,
  tiers: TierConfig,
  nowMs: number,
  shadow?: ShadowConfig,
): AccountPlan {
  const trialEndsMs = record.trial_ends_at === null ? Infinity : Date.parse(record.trial_ends_at)
  const tier = trialEndsMs <= nowMs ? (record.tier_after_trial ?? 'free') : record.tier
  const document = tiers[tier]
  const limits = compileLimits(record.rate_limits ?? document.rateLimits)
  const anchor = new Date(record.anchor)
  const month = monthPeriodAt(anchor, nowMs)
  return {
    tier,
    features: FEATURES.filter((feature) => document.features[feature]),
    timeZone: record.time_zone,
    limits,
    shadow: record.rate_limits === null ? compileShadow(shadow?.[tier]) : undefined,
    streams: streamLimitsOf(tier, document.rateLimits, record.rate_limits),
    anchor,
    month,
    monthArgv: [String(month.startS), String(month.endS), String(month.followingEndS)],
    policyHeader: policyHeaderOf(limits, month),
    validUntilMs: Math.min(month.endS * 1_000, trialEndsMs > nowMs ? trialEndsMs : Infinity),
  }
}

/** An account with limits of its own is decided by those alone, as when the proposal is enforced. */
function compileShadow(proposal: ShadowLimits | undefined): ShadowPlan | undefined {
  if (proposal === undefined) return undefined
  const { id, rateLimits } = proposal
  return { proposal: id, argument: shadowArgument(id, compileLimits(rateLimits).values) }
}

/** Shadow limits as one argument of decide.lua. */
export function shadowArgument(proposal: string, limits: readonly number[]): string {
  return [proposal.slice(-MARK_CHARACTERS), ...limits].join(' ')
}

function compileLimits(limits: RateLimits): Limits {
  const values = [
    limits.burstLimit,
    limits.requestsPerMinute,
    limits.requestsPerHour,
    limits.requestsPerDay,
    limits.requestsPerMonth,
    limits.concurrentRequests,
  ]
  return { values, argv: values.map(String) }
}

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-10. */
function policyHeaderOf({ argv }: Limits, month: MonthPeriod): string {
  const [burst, minute, hour, day, perMonth, concurrent] = argv
  const monthS = month.endS - month.startS
  return (
    `"burst";q=${burst};w=1, "min";q=${minute};w=60, "hour";q=${hour};w=3600, "day";q=${day};w=86400, ` +
    `"month";q=${perMonth};w=${monthS}, "conc";q=${concurrent};qu="concurrent-requests"`
  )
}
