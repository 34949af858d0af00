import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Uuid = Type.String({ format: 'uuid' })

type AboutAccount = { time: string; data: { account_id: string } }

/** Reason why an event about an account is impossible, if it is. */
export function accountFault({ time, data }: AboutAccount): string | undefined {
  if (!Value.Check(Uuid, data.account_id)) return 'account_id is not a UUID'
  return Number.isNaN(Date.parse(time)) ? 'time is not a time' : undefined
}

/** Reason why a made report is impossible, if it is: its mail has the event's id. */
export function reportFault(event: AboutAccount & { id: string }): string | undefined {
  return Value.Check(Uuid, event.id) ? accountFault(event) : 'id is not a UUID'
}

/** Reason why a notification is impossible, if it is. */
export function noticeFault(event: AboutAccount & { data: { notification_id: string } }): string | undefined {
  return Value.Check(Uuid, event.data.notification_id) ? accountFault(event) : 'notification_id is not a UUID'
}
