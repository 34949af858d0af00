import type { ApiKey, KeyList } from '@tapeline/contracts/api-key/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'

const KEYS = '/api/v1/internal/api-keys'

/** Refetch interval: keys may be revoked elsewhere, and a failed page recovers automatically. */
const KEYS_REFETCH_MS = 5_000
const LIVE_MS = 1_000

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }): Promise<ApiKey[]> => (await api.data<KeyList>({ path: KEYS, signal })).apiKeys,
  // While two secrets of a key work, the page shows at once which one is used.
  refetchInterval: ({ state }) =>
    state.data?.some(({ grace }) => grace !== null) === true ? LIVE_MS : KEYS_REFETCH_MS,
})
