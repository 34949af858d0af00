import type { Plan } from '@tapeline/contracts/config/plans'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../platform.ts'

/** The account's plan. Its limits are the custom ones of the account, if it has any, otherwise those of its tier. */
export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: ({ signal }) => api.data<Plan>({ path: '/api/v1/internal/subscription', signal }),
})
