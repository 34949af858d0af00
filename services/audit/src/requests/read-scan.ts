import type { UserActor } from '@tapeline/contracts/actor'
import type { Period } from '@tapeline/contracts/audit/http'
import { REQUEST_LOG_DAYS, type RequestLogFilter } from '@tapeline/contracts/audit/requests'
import type { Deps } from '../deps.ts'
import { readTime, wrongPeriod } from '../read-time.ts'
import type { RequestScan } from './request-queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const PERIOD_MS: Record<Period, number> = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
}
/** Clocks differ a little: what a gateway has just stamped is not in the future. */
const AHEAD_MS = 60_000
const STATUS_CLASS = 100

/** Where the request log of an actor begins. */
export function keptFrom({ now, retention }: Pick<Deps, 'now' | 'retention'>, actor: UserActor): Date {
  const days = Math.min(REQUEST_LOG_DAYS[actor.tier], retention.rowDays)
  return new Date(now().getTime() - days * DAY_MS)
}

/** The filter as a question to the table; what lies before the beginning of the actor's log is left out. */
export function readScan(
  deps: Pick<Deps, 'now' | 'retention'>,
  actor: UserActor,
  filter: RequestLogFilter,
): Omit<RequestScan, 'after'> {
  const { route, apiKeyId, status, outcome, code, requestId } = filter
  const { from, to } = rangeOf(deps, filter)
  const begin = keptFrom(deps, actor)
  return {
    accountId: actor.userId,
    from: from === undefined || from < begin ? begin : from,
    to,
    ...(route === undefined ? {} : { route }),
    ...(apiKeyId === undefined ? {} : { keyId: apiKeyId }),
    ...(status === undefined ? {} : { statuses: statusesOf(status) }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(code === undefined ? {} : { code }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

function rangeOf({ now }: Pick<Deps, 'now'>, { period, from, to }: RequestLogFilter): { from?: Date; to: Date } {
  const nowMs = now().getTime()
  const end = new Date(nowMs + AHEAD_MS)
  if (period !== undefined) {
    if (from !== undefined || to !== undefined) throw wrongPeriod('/period', 'Send either period, or from and to.')
    return { from: new Date(nowMs - PERIOD_MS[period]), to: end }
  }
  const range = {
    ...(from === undefined ? {} : { from: readTime('/from', from) }),
    to: to === undefined ? end : readTime('/to', to),
  }
  if (range.from !== undefined && range.from >= range.to) throw wrongPeriod('/to', 'to must be later than from.')
  return range
}

function statusesOf(status: string): { from: number; to: number } {
  if (!status.endsWith('xx')) return { from: Number(status), to: Number(status) }
  const from = Number(status[0]) * STATUS_CLASS
  return { from, to: from + STATUS_CLASS - 1 }
}
