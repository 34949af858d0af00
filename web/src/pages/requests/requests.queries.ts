import type { RequestDetail, RequestPage } from '@tapeline/contracts/audit/requests'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { refetchEvery } from '../../live/usage-activity.ts'
import { api } from '../../platform.ts'
import { queryOfFilter, type RequestsFilter } from './requests-filter.ts'

const REQUESTS = '/api/v1/internal/requests'
/** The account's stream reloads the newest page at most every second; without it the page polls. */
const NEWEST_REFETCH_MS = 3_000

export function requestsQuery(filter: RequestsFilter, page: { cursor: string | undefined; limit: number }) {
  const { cursor, limit } = page
  return queryOptions({
    queryKey: ['requests', filter, cursor, limit],
    refetchInterval: cursor === undefined ? refetchEvery(NEWEST_REFETCH_MS) : false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.data<RequestPage>({ path: REQUESTS, query: { ...queryOfFilter(filter), limit, cursor }, signal }),
  })
}

/** The decision about a request never changes. */
export function requestQuery(id: string) {
  return queryOptions({
    queryKey: ['request', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.data<RequestDetail>({ path: `${REQUESTS}/${encodeURIComponent(id)}`, signal }),
  })
}

export type ExportFormat = 'csv' | 'jsonl'

/** The whole log with this filter, with the name that the server gave it. */
export async function fetchExport(filter: RequestsFilter, format: ExportFormat): Promise<{ name: string; file: Blob }> {
  const response = await api.open({ path: `${REQUESTS}/export`, query: { ...queryOfFilter(filter), format } })
  return { name: `tapeline-requests.${format}`, file: await response.blob() }
}
