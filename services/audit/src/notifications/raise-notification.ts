import { notificationRaised } from '@tapeline/contracts/audit/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { appendStreamEvents } from '../streams/append-stream-events.ts'
import type { Tables } from '../tables.ts'
import { insertNotification, type NewNotification } from './notification-queries.ts'
import { presentNotification } from './present-notification.ts'

export type NotificationCause = Omit<NewNotification, 'id' | 'createdAt'>

/**
 * Stores and publishes a notification, once per cause. Idempotent.
 * @returns false when it already exists
 */
export async function raiseNotification(
  { now, newId }: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  cause: NotificationCause,
): Promise<boolean> {
  const [id, createdAt] = [newId(), now()]
  if (!(await insertNotification(trx, { ...cause, id, createdAt }))) return false
  const { accountId, about, title, text } = cause
  const event = newEvent(notificationRaised, {
    id: newId(),
    time: createdAt,
    subject: accountId,
    account: accountId,
    actor: { kind: 'service', service: 'audit' },
    data: { notification_id: id, account_id: accountId, title, text, ...about },
  })
  await recordEvent(trx, event)
  const shown = presentNotification({ ...about, id, title, text, created_at: createdAt, read_at: null })
  await appendStreamEvents(trx, [{ scope: accountId, name: 'notification', data: shown }])
  return true
}
