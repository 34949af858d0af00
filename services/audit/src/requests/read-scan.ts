import type { UserActor } from '@tapeline/contracts/actor'
import { REQUEST_LOG_DAYS, type RequestLogFilter } from '@tapeline/contracts/audit/requests'
import type { Deps } from '../deps.ts'
import { periodStartMs } from '../reports/period-start.ts'
import { readStatuses } from '../reports/read-statuses.ts'
import { readTime, wrongPeriod } from '../lists/read-time.ts'
import type { RequestScan } from './request-queries.ts'

/** Tolerance for clock differences: an event that a gateway has just stamped is included. */
const CLOCK_SKEW_MS = 60_000

/** Start of the actor's request log. */
export function retainedFrom({ now, retention }: Pick<Deps, 'now' | 'retention'>, actor: UserActor): Date {
  const days = Math.min(REQUEST_LOG_DAYS[actor.tier], retention.rowDays)
  return new Date(periodStartMs({ days }, now().getTime()))
}

/** Builds the table scan for a filter, limited to the actor's log. */
export function readScan(
  deps: Pick<Deps, 'now' | 'retention'>,
  actor: UserActor,
  filter: RequestLogFilter,
): Omit<RequestScan, 'after'> {
  const { route, apiKeyId, status, outcome, code, requestId } = filter
  const { from, to } = rangeOf(deps, filter)
  const begin = retainedFrom(deps, actor)
  return {
    accountId: actor.userId,
    from: from === undefined || from < begin ? begin : from,
    to,
    ...(route === undefined ? {} : { route }),
    ...(apiKeyId === undefined ? {} : { keyId: apiKeyId }),
    ...(status === undefined ? {} : { statuses: readStatuses(status) }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(code === undefined ? {} : { code }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

function rangeOf({ now }: Pick<Deps, 'now'>, { period, from, to }: RequestLogFilter): { from?: Date; to: Date } {
  const nowMs = now().getTime()
  const end = new Date(nowMs + CLOCK_SKEW_MS)
  if (period !== undefined) {
    if (from !== undefined || to !== undefined) throw wrongPeriod('/period', 'Send either period, or from and to.')
    return { from: new Date(periodStartMs(period, nowMs)), to: end }
  }
  const range = {
    ...(from === undefined ? {} : { from: readTime('/from', from) }),
    to: to === undefined ? end : readTime('/to', to),
  }
  if (range.from !== undefined && range.from >= range.to) throw wrongPeriod('/to', 'to must be later than from.')
  return range
}
