import type { Pricing, UserFlags } from '@tapeline/contracts/config/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../platform.ts'

const PRICING_FRESH_FOR_MS = 5 * 60_000
/** Pages wait for the flags, but not long: without them they show what everybody may see. */
const FLAGS_TIMEOUT_MS = 3_000

/** The tier documents that the limiter enforces. */
export const pricingQuery = queryOptions({
  queryKey: ['pricing'],
  staleTime: PRICING_FRESH_FOR_MS,
  queryFn: ({ signal }) =>
    api.data<Pricing>({ path: '/api/v1/internal/subscription/pricing', credential: 'none', signal }),
})

/** Flags that anyone may read. */
export const publicFlagsQuery = queryOptions({
  queryKey: ['public-flags'],
  retry: false,
  queryFn: ({ signal }) =>
    api.data<UserFlags>({
      path: '/api/v1/internal/user/feature-flags',
      credential: 'none',
      timeoutMs: FLAGS_TIMEOUT_MS,
      signal,
    }),
})
