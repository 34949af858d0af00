import { QueryClient } from '@tanstack/react-query'
import { isRetryable } from './client.ts'

const FRESH_FOR_MS = 15_000
/** 4.9 s in total: enough for a service to restart. */
const RETRIES_MAX = 3
const RETRY_DELAY_MS = 700

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR_MS,
        retry: (failures, error) => failures < RETRIES_MAX && isRetryable(error),
        retryDelay: (failures) => RETRY_DELAY_MS * 2 ** failures,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
