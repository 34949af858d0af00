import type { Tier } from '@tapeline/contracts/actor'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { RateLimits, TierLimits } from '@tapeline/contracts/config/tiers'
import { LIMIT_FIELDS, type LimitField, sentNumber } from '../limit-fields.ts'

/** `tier` empty: the account keeps its plan, including a running trial. */
export type PlanForm = {
  tier: Tier | ''
  hasOwnLimits: boolean
  limits: Record<LimitField, string>
  reason: string
}

/** Custom limits start from the current limits. */
export function planFormOf({ rate_limits }: SubscriptionRecord, ofTier: RateLimits | undefined): PlanForm {
  const from = rate_limits ?? ofTier
  return {
    tier: '',
    hasOwnLimits: rate_limits !== null,
    limits: limitsAs((field) => (from === undefined ? '' : String(from[field]))),
    reason: '',
  }
}

/**
 * Changed fields, named as in the API call; undefined if nothing changed. A lower tier keeps only custom limits that are
 * sent.
 */
export function planBody(form: PlanForm, subscription: SubscriptionRecord): Record<string, unknown> | undefined {
  const rateLimits = form.hasOwnLimits ? limitsAs((field) => sentNumber(form.limits[field])) : null
  const hasOtherLimits = LIMIT_FIELDS.some(({ field }) => rateLimits?.[field] !== subscription.rate_limits?.[field])
  if (form.tier === '' && !hasOtherLimits) return undefined
  const reason = form.reason.trim()
  return {
    version: subscription.version,
    ...(form.tier === '' ? {} : { tier: form.tier }),
    ...(hasOtherLimits || (form.tier !== '' && form.hasOwnLimits)
      ? { rateLimits: rateLimits && { ...streamLimitsOf(subscription), ...rateLimits } }
      : {}),
    ...(reason === '' ? {} : { reason }),
  }
}

/** Limits of streams, which the form does not show, are kept. */
function streamLimitsOf({ rate_limits }: SubscriptionRecord): Partial<TierLimits> {
  const { streamConnections, streamMessagesPerSecond } = rate_limits ?? {}
  return {
    ...(streamConnections === undefined ? {} : { streamConnections }),
    ...(streamMessagesPerSecond === undefined ? {} : { streamMessagesPerSecond }),
  }
}

function limitsAs<T>(valueOf: (field: LimitField) => T): Record<LimitField, T> {
  return {
    burstLimit: valueOf('burstLimit'),
    requestsPerMinute: valueOf('requestsPerMinute'),
    requestsPerHour: valueOf('requestsPerHour'),
    requestsPerDay: valueOf('requestsPerDay'),
    requestsPerMonth: valueOf('requestsPerMonth'),
    concurrentRequests: valueOf('concurrentRequests'),
  }
}
