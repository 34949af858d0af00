import type { ShadowReport } from '@tapeline/contracts/audit/shadow'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../platform.ts'

const SHADOW = '/api/v1/admin/limits/shadow'
const DAY_MS = 86_400_000
const REFETCH_MS = 10_000

/** Verdicts of shadow limits in the last days. */
export function shadowReportQuery(proposal: string, days: number) {
  return queryOptions({
    queryKey: ['shadow-report', proposal, days],
    refetchInterval: REFETCH_MS,
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - days * DAY_MS).toISOString()
      return api.data<ShadowReport>({ path: `${SHADOW}/${proposal}`, query: { from }, signal })
    },
  })
}
