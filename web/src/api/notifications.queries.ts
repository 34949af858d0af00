import type { MarkedRead, NotificationPage } from '@tapeline/contracts/audit/notifications'
import { type InfiniteData, infiniteQueryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { api } from '../platform.ts'
import { queryClient } from '../queries.ts'

const NOTIFICATIONS = '/api/v1/internal/notifications'
const PAGE_ROWS = 10
/** Polling interval of the feed while its stream is disconnected. */
const REFETCH_MS = 60_000
const FIRST_PAGE = ''

export type NotificationsResult = UseInfiniteQueryResult<InfiniteData<NotificationPage>>

export const notificationsKey = ['notifications'] as const

export const notificationsQuery = infiniteQueryOptions({
  queryKey: notificationsKey,
  refetchInterval: REFETCH_MS,
  initialPageParam: FIRST_PAGE,
  queryFn: ({ pageParam, signal }) =>
    api.data<NotificationPage>({
      path: NOTIFICATIONS,
      query: { limit: PAGE_ROWS, cursor: pageParam || undefined },
      signal,
    }),
  getNextPageParam: (last) => last.next_cursor ?? undefined,
})

/** One notification, or all of them. */
export async function markRead(id?: string): Promise<void> {
  const path = id === undefined ? `${NOTIFICATIONS}/read` : `${NOTIFICATIONS}/${id}/read`
  await api.data<MarkedRead>({ method: 'PATCH', path })
  await queryClient.invalidateQueries({ queryKey: notificationsKey })
}
