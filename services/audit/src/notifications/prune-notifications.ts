import type { Deps } from '../deps.ts'
import { deleteNotificationsBefore } from './notification-queries.ts'

const DAY_MS = 86_400_000
/** Longer than the longest period of a cause, a month, and than a redelivered event can be late: no cause is repeated. */
const KEPT_DAYS = 180
const BATCH_ROWS = 5_000

/** Job. Deletes notifications after 180 days, read or not. */
export async function pruneNotifications(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  batchRows = BATCH_ROWS,
): Promise<number> {
  const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS)
  let deleted = 0
  for (;;) {
    const batch = await deleteNotificationsBefore(db, before, batchRows)
    deleted += batch
    if (batch < batchRows) return deleted
  }
}
