import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Uuid = Type.String({ format: 'uuid' })

type AboutAccount = { time: string; data: { account_id: string } }

/** Why an event about an account is invalid; undefined if it is valid. */
export function accountFault({ time, data }: AboutAccount): string | undefined {
  if (!Value.Check(Uuid, data.account_id)) return 'account_id is not a UUID'
  return Number.isNaN(Date.parse(time)) ? 'time is not a time' : undefined
}

/** Why a report event is invalid, undefined if it is valid. The event's id becomes the id of its mail. */
export function reportFault(event: AboutAccount & { id: string }): string | undefined {
  return Value.Check(Uuid, event.id) ? accountFault(event) : 'id is not a UUID'
}

/** Why a notification is invalid; undefined if it is valid. */
export function noticeFault(event: AboutAccount & { data: { notification_id: string } }): string | undefined {
  return Value.Check(Uuid, event.data.notification_id) ? accountFault(event) : 'notification_id is not a UUID'
}
