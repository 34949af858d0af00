import type { ApiKey, KeyList } from '@tapeline/contracts/api-key/http'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { queryOptions } from '@tanstack/react-query'
import { refetchEvery } from '../../live/usage-activity.ts'
import { api } from '../../platform.ts'

const REFETCH_MS = 5_000
const USE_REFETCH_MS = 10_000

/** Below the key of `keysQuery`: every change of a key invalidates both. */
export const serviceKeysQuery = queryOptions({
  queryKey: ['api-keys', 'service'],
  queryFn: async ({ signal }): Promise<ApiKey[]> =>
    (await api.data<KeyList>({ path: '/api/v1/internal/api-keys', query: { kind: 'service' }, signal })).apiKeys,
  refetchInterval: REFETCH_MS,
})

/** Requests of one key in the last 30 days. */
export function keyUseQuery(apiKeyId: string, groupBy: 'endpoint' | 'network') {
  return queryOptions({
    queryKey: ['service-key-use', apiKeyId, groupBy],
    refetchInterval: refetchEvery(USE_REFETCH_MS),
    meta: { usage: 'polled' },
    queryFn: ({ signal }) =>
      api.data<UsageReport>({
        path: '/api/v1/internal/apikeyaudit/usage-breakdown',
        query: { period: '30d', apiKeyId, groupBy },
        signal,
      }),
  })
}
