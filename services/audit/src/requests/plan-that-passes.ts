import { type Tier, TIERS } from '@tapeline/contracts/actor'
import type { RateLimits, TierConfig } from '@tapeline/contracts/config/tiers'
import type { Decision, Policy } from '@tapeline/contracts/usage/events'

/** The field of the tier documents for each policy. */
export const LIMIT_NAMES: Record<Policy, keyof RateLimits> = {
  burst: 'burstLimit',
  min: 'requestsPerMinute',
  hour: 'requestsPerHour',
  day: 'requestsPerDay',
  month: 'requestsPerMonth',
  conc: 'concurrentRequests',
}

/**
 * The smallest larger plan with room in every window that denied the request; a key's own limit applies in any plan.
 */
export function planThatPasses(decision: Decision, tier: Tier, tiers: TierConfig | undefined): Tier | null {
  const { verdict, denied_by, key_denied_by = [], windows } = decision
  if (verdict !== 'denied' || denied_by.length === 0 || key_denied_by.length > 0 || tiers === undefined) return null
  const full = windows.filter(({ policy }) => denied_by.includes(policy))
  const hasRoom = (plan: Tier) =>
    full.every(({ policy, used, limit }) => tiers[plan].rateLimits[LIMIT_NAMES[policy]] > Math.max(used, limit))
  return TIERS.slice(TIERS.indexOf(tier) + 1).find(hasRoom) ?? null
}
