import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { ChangedUser, ChangeUser, UserPage } from '@tapeline/contracts/identity/admin'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'
import { queryOfUsers, type UsersFilter } from './users-filter.ts'

const USERS = '/api/v1/admin/users'
const SUBSCRIPTIONS = '/api/v1/admin/subscriptions'

/** `effective_within_seconds`: upper bound until all gateways apply the change. */
type GivenPlan = SubscriptionRecord & { effective_within_seconds?: number }

export function usersQuery(filter: UsersFilter, page: { cursor: string | undefined; limit: number }) {
  return queryOptions({
    queryKey: ['admin-users', queryOfUsers(filter), page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.data<UserPage>({ path: USERS, query: { ...queryOfUsers(filter), ...page }, signal }),
  })
}

/** An account's tier, trial and account-specific limits. */
export function givenPlanQuery(accountId: string) {
  return queryOptions({
    queryKey: ['admin-subscription', accountId],
    queryFn: ({ signal }) => api.data<SubscriptionRecord>({ path: `${SUBSCRIPTIONS}/${accountId}`, signal }),
  })
}

export async function changeUser(body: ChangeUser): Promise<ChangedUser> {
  const changed = await api.data<ChangedUser>({ method: 'PATCH', path: USERS, body })
  await queryClient.invalidateQueries({ queryKey: ['admin-users'] })
  return changed
}

export async function setPlan(accountId: string, body: Record<string, unknown>): Promise<GivenPlan> {
  const given = await api.data<GivenPlan>({ method: 'PUT', path: `${SUBSCRIPTIONS}/${accountId}`, body })
  queryClient.setQueryData(givenPlanQuery(accountId).queryKey, given)
  return given
}

export async function readGivenPlanAgain(accountId: string): Promise<SubscriptionRecord> {
  await queryClient.invalidateQueries({ queryKey: givenPlanQuery(accountId).queryKey })
  return queryClient.fetchQuery(givenPlanQuery(accountId))
}
