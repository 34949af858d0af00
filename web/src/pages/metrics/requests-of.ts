import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { requestsPath } from '../../paths.ts'
import { type MetricsFilter, writeFilter } from './metrics-filter.ts'

/** The requests behind the numbers of a filter, or those of one status among them. */
export function requestsOf(filter: MetricsFilter, status?: string): string {
  const search = writeFilter(filter)
  if (status !== undefined) search.set('status', status)
  return requestsPath(Object.fromEntries(search))
}

/** URL of the requests of a filter that a limit rejected. */
export function throttledOf(filter: MetricsFilter): string {
  return requestsPath({ ...Object.fromEntries(writeFilter(filter)), outcome: 'denied' })
}

/** The requests of one bucket. */
export function requestsIn(filter: MetricsFilter, { from, to }: Pick<UsagePoint, 'from' | 'to'>): string {
  const custom = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  return requestsOf({ ...filter, custom })
}
