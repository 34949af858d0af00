import type { UserActor } from '@tapeline/contracts/actor'
import type { ListNotificationsQuery, NotificationPage } from '@tapeline/contracts/audit/notifications'
import type { Deps } from '../deps.ts'
import { readCursor, signCursor } from '../lists/cursor.ts'
import { countUnread, listNotificationRows } from './notification-queries.ts'
import { presentNotification } from './present-notification.ts'

const CALL = 'notifications'

/** A page of the account's notifications, newest first, with the number of unread ones. */
export async function listNotifications(
  deps: Pick<Deps, 'db' | 'cursorKey' | 'settings'>,
  { userId }: UserActor,
  query: ListNotificationsQuery,
): Promise<NotificationPage> {
  const { db, cursorKey } = deps
  const { filter, limit, after } = readCursor(deps, CALL, query)
  const rows = await listNotificationRows(db, { accountId: userId, isUnread: filter.unread === true, after }, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const isLast = rows.length <= limit || last === undefined
  return {
    notifications: page.map(presentNotification),
    unread: await countUnread(db, userId),
    next_cursor: isLast ? null : signCursor(cursorKey, CALL, filter, { time: last.place, id: last.id }),
  }
}
