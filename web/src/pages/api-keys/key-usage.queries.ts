import type { UsageReport } from '@tapeline/contracts/audit/http'
import { queryOptions } from '@tanstack/react-query'
import { refetchEvery } from '../../live/usage-activity.ts'
import { api } from '../../platform.ts'

const AUDIT = '/api/v1/internal/apikeyaudit'
const LIVE_MS = 1_000
/** The account's stream reloads the totals at most every second; without it they poll. */
const TOTALS_REFETCH_MS = 10_000
/** Each key has its own tape; with many keys the interval grows, so that the page sends about two requests a second. */
const LIVE_PER_KEY_MS = 500

/** Totals of the last 30 days, by key. */
export const keyTotalsQuery = queryOptions({
  queryKey: ['api-key-usage'],
  refetchInterval: refetchEvery(TOTALS_REFETCH_MS),
  meta: { usage: 'live' },
  queryFn: ({ signal }) => api.data<UsageReport>({ path: `${AUDIT}/api-key-usage`, query: { period: '30d' }, signal }),
})

/** The last 60 minutes of one key, a point a minute. */
export function keyHourQuery(keyId: string, keyCount: number) {
  return queryOptions({
    queryKey: ['api-key-hour', keyId],
    refetchInterval: refetchEvery(Math.max(LIVE_MS, keyCount * LIVE_PER_KEY_MS)),
    meta: { usage: 'polled' },
    queryFn: ({ signal }) =>
      api.data<UsageReport>({ path: `${AUDIT}/dashboard-metrics`, query: { period: '1h', apiKeyId: keyId }, signal }),
  })
}
