import type { UserActor } from '@tapeline/contracts/actor'
import type { MarkedRead } from '@tapeline/contracts/audit/notifications'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { countUnread, hasNotification, markNotificationsRead } from './notification-queries.ts'

/**
 * Marks one notification, or all (`null`), as read; those already read are unchanged.
 * @throws AppError notification.not_found
 */
export async function markRead(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { userId }: UserActor,
  id: string | null,
): Promise<MarkedRead> {
  const marked = await markNotificationsRead(db, userId, id, now())
  if (id !== null && marked === 0 && !(await hasNotification(db, userId, id))) {
    throw new AppError('notification.not_found', 'There is no such notification.')
  }
  return { marked, unread: await countUnread(db, userId) }
}
