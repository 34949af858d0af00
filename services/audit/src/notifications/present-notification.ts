import { Notification } from '@tapeline/contracts/audit/notifications'
import { Value } from 'typebox/value'

type NotificationRow = {
  id: string
  kind: string
  title: string
  text: string
  data: unknown
  created_at: Date
  read_at: Date | null
}

/** Converts a row to its public form. */
export function presentNotification({
  id,
  kind,
  title,
  text,
  data,
  created_at,
  read_at,
}: NotificationRow): Notification {
  return Value.Parse(Notification, {
    id,
    kind,
    title,
    text,
    data,
    created_at: created_at.toISOString(),
    read_at: read_at?.toISOString() ?? null,
  })
}
