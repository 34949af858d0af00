import type { TrailPage } from '@tapeline/contracts/audit/trail'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'
import { queryOfTrail, type TrailFilter } from './trail-filter.ts'

const TRAIL = '/api/v1/internal/audit-trail'

export function trailQuery(filter: TrailFilter, page: { cursor: string | undefined; limit: number }) {
  return queryOptions({
    queryKey: ['audit-trail', filter, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.data<TrailPage>({ path: TRAIL, query: { ...queryOfTrail(filter), ...page }, signal }),
  })
}
