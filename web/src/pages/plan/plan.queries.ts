import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import type { PaidTier, Plan } from '@tapeline/contracts/config/plans'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { queryOptions } from '@tanstack/react-query'
import { planQuery } from '../../api/plan.queries.ts'
import { api, session } from '../../platform.ts'
import { queryClient } from '../../queries.ts'

const SUBSCRIPTION = '/api/v1/internal/subscription'
const LIVE_MS = 2_000

/** Current counts of the limiter, from the limiter itself: independent of audit, and free of charge. */
export const limitsNowQuery = queryOptions({
  queryKey: ['limits-now'],
  refetchInterval: LIVE_MS,
  queryFn: ({ signal }) => api.data<LimitsReport>({ path: '/api/v1/limits', signal }),
})

/** The forecast changes with the days, not with each request. */
const FORECAST_REFETCH_MS = 60_000

export const forecastQuery = queryOptions({
  queryKey: ['usage-forecast'],
  refetchInterval: FORECAST_REFETCH_MS,
  queryFn: ({ signal }) => api.data<UsageForecast>({ path: '/api/v1/internal/usage-forecast', signal }),
})

export async function startTrial(tier: PaidTier): Promise<void> {
  await planChanged(await api.data<Plan>({ method: 'POST', path: `${SUBSCRIPTION}/trial`, body: { tier } }))
}

/** Cancels only the shown plan: if the plan has changed, nothing is cancelled and the page shows the current one. */
export async function cancelPlan({ trial, version }: Plan): Promise<void> {
  const body = { what: trial === null ? 'plan' : 'trial', version }
  try {
    await planChanged(await api.data<Plan>({ method: 'POST', path: `${SUBSCRIPTION}/cancel`, body }))
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: planQuery.queryKey })
    throw error
  }
}

/** The sidebar and all pages that use the tier update immediately. */
async function planChanged(plan: Plan): Promise<void> {
  queryClient.setQueryData(planQuery.queryKey, plan)
  const state = session.getState()
  if (state.status === 'signed-in') session.updateUser({ ...state.user, subscriptionTier: plan.tier })
  await queryClient.invalidateQueries({ queryKey: limitsNowQuery.queryKey })
}
