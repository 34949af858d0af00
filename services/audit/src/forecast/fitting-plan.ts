import { type Tier, TIERS } from '@tapeline/contracts/actor'
import type { NeededLimit, PlanFit } from '@tapeline/contracts/audit/forecast'
import type { RateLimits, TierConfig } from '@tapeline/contracts/config/tiers'
import { POLICIES, type Policy } from '@tapeline/contracts/usage/events'
import type { Peaks } from '../reports/report-queries.ts'
import { LIMIT_NAMES } from '../requests/plan-that-passes.ts'
import type { Range } from './forecast-month.ts'

type Limits = Record<Tier, { rateLimits: RateLimits }>

/** Highest usage of every limit but the month's, which the forecast covers. */
export function neededLimits(limits: RateLimits, peaks: Partial<Peaks>, hasDenied: boolean): NeededLimit[] {
  return POLICIES.filter((policy) => policy !== 'month').map((policy) => {
    const [limit, peak] = [limits[LIMIT_NAMES[policy]], Number(peaks[policy] ?? 0)]
    return { policy, limit, peak, reached: hasDenied && peak >= limit }
  })
}

/** Every plan against the highest usage of each limit and the forecast of the month, the smallest plan first. */
export function fitPlans(
  tiers: TierConfig | Limits,
  needed: readonly NeededLimit[],
  end: Range | undefined,
): PlanFit[] {
  return TIERS.map((tier) => {
    const { rateLimits } = tiers[tier]
    const limitOf = (policy: Policy): number => rateLimits[LIMIT_NAMES[policy]]
    const month = limitOf('month')
    const tooSmall = needed.filter((one) => isTooSmall(one, limitOf(one.policy))).map(({ policy }) => policy)
    if (end !== undefined && end.likely > month && !tooSmall.includes('month')) tooSmall.push('month')
    return { tier, verdict: verdictOf(tooSmall, month, end), too_small: tooSmall }
  })
}

/** Usage that reached a limit shows only that more than this limit is needed. */
function isTooSmall({ peak, limit, reached }: NeededLimit, offered: number): boolean {
  return peak > offered || (reached && offered <= limit)
}

function verdictOf(tooSmall: readonly Policy[], month: number, end: Range | undefined): PlanFit['verdict'] {
  if (tooSmall.length > 0) return 'too_small'
  if (end === undefined) return 'unknown'
  return end.high > month ? 'may_be_small' : 'fits'
}
