import type { notificationRaised } from '@tapeline/contracts/audit/events'
import type { Event } from '@tapeline/contracts/event'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Uuid = Type.String({ format: 'uuid' })

/** Why a notification cannot be somebody's, if so. */
export function noticeFault({ time, data }: Event<Static<typeof notificationRaised.data>>): string | undefined {
  if (!Value.Check(Uuid, data.notification_id)) return 'notification_id is not a UUID'
  if (!Value.Check(Uuid, data.account_id)) return 'account_id is not a UUID'
  return Number.isNaN(Date.parse(time)) ? 'time is not a time' : undefined
}
