import type { RealTimeStats, UsageReport } from '@tapeline/contracts/audit/http'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'
import { type MetricsFilter, type ReportFilter, reportQueryOf } from './metrics-filter.ts'

const AUDIT = '/api/v1/internal/apikeyaudit'
const LIVE_MS = 1_000
/** A month of hours is not worth asking for every second. */
const LONG_LIVE_MS = 5_000
const REAL_TIME_MS = 2_000

function liveMs({ period, custom }: MetricsFilter): number {
  if (custom !== undefined) return LONG_LIVE_MS
  return period === '1h' || period === '24h' || period === '7d' ? LIVE_MS : LONG_LIVE_MS
}

/** Live activity of the whole account. */
export const realTimeQuery = queryOptions({
  queryKey: ['real-time-stats'],
  refetchInterval: REAL_TIME_MS,
  queryFn: ({ signal }) => api.data<RealTimeStats>({ path: `${AUDIT}/real-time-stats`, signal }),
})

export function metricsQuery(filter: ReportFilter) {
  return queryOptions({
    queryKey: ['metrics', filter],
    refetchInterval: liveMs(filter),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.data<UsageReport>({ path: `${AUDIT}/dashboard-metrics`, query: reportQueryOf(filter), signal }),
  })
}

export function breakdownQuery(filter: MetricsFilter, groupBy: 'endpoint' | 'status') {
  return queryOptions({
    queryKey: ['metrics-breakdown', groupBy, filter],
    refetchInterval: LONG_LIVE_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.data<UsageReport>({ path: `${AUDIT}/usage-breakdown`, query: { ...reportQueryOf(filter), groupBy }, signal }),
  })
}
