import type { Pricing } from '@tapeline/contracts/config/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../platform.ts'

const PRICING_FRESH_FOR_MS = 5 * 60_000

/** The tier documents that the limiter enforces. */
export const pricingQuery = queryOptions({
  queryKey: ['pricing'],
  staleTime: PRICING_FRESH_FOR_MS,
  queryFn: ({ signal }) =>
    api.data<Pricing>({ path: '/api/v1/internal/subscription/pricing', credential: 'none', signal }),
})
