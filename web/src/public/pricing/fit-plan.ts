import type { Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import { PLANS } from './plans.ts'

export type Load = { perMinute: number; perMonth: number }

/** The limit of a plan that a load exceeds, or the capacity that remains. */
export type Verdict = { kind: 'endsAtMinute' | 'endsAtMonth' | 'fits' } | { kind: 'room'; times: number }

/** The smallest plan that carries the load. */
export function fittingPlan(pricing: Pricing, load: Load): Tier | undefined {
  return PLANS.find((tier) => roomOf(pricing, tier, load) >= 1)
}

export function verdictOn(pricing: Pricing, tier: Tier, load: Load): Verdict {
  const room = roomOf(pricing, tier, load)
  const isMinute = pricing[tier].rateLimits.requestsPerMinute < load.perMinute
  if (room < 1) return { kind: isMinute ? 'endsAtMinute' : 'endsAtMonth' }
  return tier === fittingPlan(pricing, load) ? { kind: 'fits' } : { kind: 'room', times: room }
}

/** How many times the load fits into the tighter of the two limits. */
function roomOf(pricing: Pricing, tier: Tier, load: Load): number {
  const { requestsPerMinute, requestsPerMonth } = pricing[tier].rateLimits
  return Math.min(requestsPerMinute / load.perMinute, requestsPerMonth / load.perMonth)
}
