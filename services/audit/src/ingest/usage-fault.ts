import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Deps } from '../deps.ts'
import { isRequestId } from '../is-request-id.ts'
import { isUuid } from '../is-uuid.ts'

const DAY_MS = 86_400_000

/** Reason why an event is impossible, if it is: it becomes a dead letter with this reason. */
export function usageFault(
  { id, time, data }: Event<{ account_id: string }>,
  { now, retention }: Pick<Deps, 'now' | 'retention'>,
): string | undefined {
  if (!isUuid(id)) return 'id is not a UUID'
  if (!isUuid(data.account_id)) return 'data/account_id is not a UUID'
  // An upper-case id would be another account for the limiter, but the same one for PostgreSQL's uuid type.
  if (data.account_id !== data.account_id.toLowerCase()) return 'data/account_id is not in lower case'
  const timeMs = Date.parse(time)
  const nowMs = now().getTime()
  if (Number.isNaN(timeMs)) return 'time is not a time'
  if (timeMs > nowMs + DAY_MS) return 'time is more than a day ahead'
  if (timeMs < nowMs - retention.rowDays * DAY_MS) return 'time is before the days that are kept'
  return undefined
}

/** Reason why a request's event is impossible besides those of `usageFault`. */
export function requestFault({ data }: Event<Pick<UsageRequestServed, 'request_id'>>): string | undefined {
  return isRequestId(data.request_id) ? undefined : 'data/request_id is not 32 hexadecimal digits'
}
