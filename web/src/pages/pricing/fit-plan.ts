import { t } from '@lingui/core/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import { formatCount } from '../../format/number.ts'
import { PLANS } from './plans.ts'

export type Load = { perMinute: number; perMonth: number }

export type Verdict = { isEnough: boolean; text: string }

/** The smallest plan that carries the load. */
export function fittingPlan(pricing: Pricing, load: Load): Tier | undefined {
  return PLANS.find((tier) => roomOf(pricing, tier, load) >= 1)
}

export function verdictOn(pricing: Pricing, tier: Tier, load: Load): Verdict {
  const room = roomOf(pricing, tier, load)
  const { requestsPerMinute, requestsPerMonth } = pricing[tier].rateLimits
  if (room < 1) {
    const isMinute = requestsPerMinute < load.perMinute
    const end = isMinute ? t`${formatCount(requestsPerMinute)} a minute` : t`${formatCount(requestsPerMonth)} a month`
    return { isEnough: false, text: t`Ends at ${end}` }
  }
  if (tier === fittingPlan(pricing, load)) return { isEnough: true, text: t`Fits your load` }
  return { isEnough: true, text: t`Fits, with ${Number(room.toFixed(1))} times the room` }
}

/** How often the load goes into the tighter of the two limits. */
function roomOf(pricing: Pricing, tier: Tier, load: Load): number {
  const { requestsPerMinute, requestsPerMonth } = pricing[tier].rateLimits
  return Math.min(requestsPerMinute / load.perMinute, requestsPerMonth / load.perMonth)
}
