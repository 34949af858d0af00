import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../platform.ts'

/** The prober looks once a minute. */
const STATUS_FRESH_FOR_MS = 60_000

/** How available the platform was: counted requests and probes. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  staleTime: STATUS_FRESH_FOR_MS,
  queryFn: ({ signal }) => api.data<PlatformStatus>({ path: '/api/v1/status', credential: 'none', signal }),
})
