import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { ChangedUser, ChangeUser, UserPage } from '@tapeline/contracts/identity/admin'
import { queryOptions } from '@tanstack/react-query'
import { keepAnswerOf } from '../../../api/keep-answer.ts'
import { api } from '../../../platform.ts'
import { queryClient } from '../../../queries.ts'
import { queryOfUsers, type UsersFilter } from './users-filter.ts'

const USERS = '/api/v1/admin/users'
const PAGE_MAX = 100
const NAME_PAGES_MAX = 10
const SUBSCRIPTIONS = '/api/v1/admin/subscriptions'

/** `effective_within_seconds`: upper bound until all gateways apply the change. */
type SavedPlan = SubscriptionRecord & { effective_within_seconds?: number }

export function usersQuery(filter: UsersFilter, page: { cursor: string | undefined; limit: number }) {
  const filtered = queryOfUsers(filter)
  return queryOptions({
    queryKey: ['admin-users', filtered, page],
    placeholderData: keepAnswerOf(filtered),
    queryFn: ({ signal }) => api.data<UserPage>({ path: USERS, query: { ...filtered, ...page }, signal }),
  })
}

export type AccountName = { name: string; email: string }

/** Names of accounts, from as many pages of the list as contain them; ids beyond the last page read have none. */
export function accountNamesQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['admin-users', 'names', ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const names = new Map<string, AccountName>()
      let cursor: string | undefined
      for (let page = 0; page < NAME_PAGES_MAX; page += 1) {
        const query = { limit: PAGE_MAX, ...(cursor === undefined ? {} : { cursor }) }
        const { users, next_cursor: next } = await api.data<UserPage>({ path: USERS, query, signal })
        for (const user of users) {
          if (ids.includes(user.id))
            names.set(user.id, { name: `${user.first_name} ${user.last_name}`, email: user.email })
        }
        if (next === null || names.size === ids.length) break
        cursor = next
      }
      return names
    },
  })
}

/** An account's tier, trial and account-specific limits. */
export function assignedPlanQuery(accountId: string) {
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

export async function setPlan(accountId: string, body: Record<string, unknown>): Promise<SavedPlan> {
  const assigned = await api.data<SavedPlan>({ method: 'PUT', path: `${SUBSCRIPTIONS}/${accountId}`, body })
  queryClient.setQueryData(assignedPlanQuery(accountId).queryKey, assigned)
  return assigned
}

export async function refetchAssignedPlan(accountId: string): Promise<SubscriptionRecord> {
  await queryClient.invalidateQueries({ queryKey: assignedPlanQuery(accountId).queryKey })
  return queryClient.fetchQuery(assignedPlanQuery(accountId))
}
