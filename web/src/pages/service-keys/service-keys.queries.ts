import type { ApiKey, KeyList } from '@tapeline/contracts/api-key/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'

const AGAIN_MS = 5_000

/** Below the key of `keysQuery`: every change of a key invalidates both. */
export const serviceKeysQuery = queryOptions({
  queryKey: ['api-keys', 'service'],
  queryFn: async ({ signal }): Promise<ApiKey[]> =>
    (await api.data<KeyList>({ path: '/api/v1/internal/api-keys', query: { kind: 'service' }, signal })).apiKeys,
  refetchInterval: AGAIN_MS,
})
