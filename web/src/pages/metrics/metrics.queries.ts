import type { RealTimeStats, UsageReport } from '@tapeline/contracts/audit/http'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { refetchEvery } from '../../live/usage-activity.ts'
import { api } from '../../platform.ts'
import { type MetricsFilter, type ReportFilter, reportQueryOf } from './metrics-filter.ts'

const AUDIT = '/api/v1/internal/apikeyaudit'
/** The account's stream reloads live queries at most every second; without it they poll. */
const LIVE_REFETCH_MS = 10_000
/** Custom ranges, 30 and 90 days, and breakdowns, which the account's stream does not reload. */
const POLL_MS = 5_000

function isLive({ period, custom }: MetricsFilter): boolean {
  return custom === undefined && (period === '1h' || period === '24h' || period === '7d')
}

/** Live activity of the whole account. */
export const realTimeQuery = queryOptions({
  queryKey: ['real-time-stats'],
  refetchInterval: refetchEvery(LIVE_REFETCH_MS),
  meta: { usage: 'live' },
  queryFn: ({ signal }) => api.data<RealTimeStats>({ path: `${AUDIT}/real-time-stats`, signal }),
})

export function metricsQuery(filter: ReportFilter) {
  return queryOptions({
    queryKey: ['metrics', filter],
    refetchInterval: refetchEvery(isLive(filter) ? LIVE_REFETCH_MS : POLL_MS),
    meta: { usage: isLive(filter) ? 'live' : 'polled' },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.data<UsageReport>({ path: `${AUDIT}/dashboard-metrics`, query: reportQueryOf(filter), signal }),
  })
}

export function breakdownQuery(filter: MetricsFilter, groupBy: 'endpoint' | 'status') {
  return queryOptions({
    queryKey: ['metrics-breakdown', groupBy, filter],
    refetchInterval: refetchEvery(POLL_MS),
    meta: { usage: 'polled' },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.data<UsageReport>({ path: `${AUDIT}/usage-breakdown`, query: { ...reportQueryOf(filter), groupBy }, signal }),
  })
}
