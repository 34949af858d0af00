import type { TrailCheck } from '@tapeline/contracts/audit/trail-check'
import type { TrailPage } from '@tapeline/contracts/audit/trail'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'
import { queryOfTrail, type TrailFilter } from './trail-filter.ts'

const TRAIL = '/api/v1/internal/audit-trail'

export function trailQuery(filter: TrailFilter, timeZone: string, page: { cursor: string | undefined; limit: number }) {
  const query = { ...queryOfTrail(filter, timeZone), ...page }
  return queryOptions({
    queryKey: ['audit-trail', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.data<TrailPage>({ path: TRAIL, query, signal }),
  })
}

const CHECK = '/api/v1/admin/audit-trail/check'
const RUNNING_REFETCH_MS = 1_000

/** The latest verification of the whole trail; reads again while one runs. */
export const trailCheckQuery = queryOptions({
  queryKey: ['trail-check'],
  queryFn: ({ signal }) => api.data<TrailCheck>({ path: CHECK, signal }),
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_REFETCH_MS : false),
})

export function startCheck(): Promise<TrailCheck> {
  return api.data<TrailCheck>({ method: 'POST', path: CHECK })
}
