import type { Tier } from '@tapeline/contracts/actor'
import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import type { Policy } from '@tapeline/contracts/usage/events'
import { formatCount } from '../../format/number.ts'
import type { PlanRowId } from '../../public/pricing/plan-rows.ts'

const POLICIES: Partial<Record<PlanRowId, Policy>> = {
  requestsPerMinute: 'min',
  requestsPerHour: 'hour',
  requestsPerDay: 'day',
  requestsPerMonth: 'month',
  burstLimit: 'burst',
  concurrentRequests: 'conc',
}

export type Needs = {
  /** What the account needed of the row's limit; '' where the row is not a limit. */
  of: (row: PlanRowId) => string
  isTooSmall: (tier: Tier, row: PlanRowId) => boolean
}

/** The highest use of each limit, and for the month its likely end. Where requests were rejected it may be more. */
export function needsOf({ needed, end, used, plans }: UsageForecast): Needs {
  return {
    of(row) {
      const policy = POLICIES[row]
      if (policy === undefined) return ''
      if (policy === 'month') return formatCount(end?.likely ?? used)
      const need = needed.find((one) => one.policy === policy)
      return need === undefined ? '' : `${need.reached ? '≥ ' : ''}${formatCount(need.peak)}`
    },
    isTooSmall(tier, row) {
      const policy = POLICIES[row]
      return policy !== undefined && plans.some((plan) => plan.tier === tier && plan.too_small.includes(policy))
    },
  }
}
