import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For the job that deletes old notifications (notifications/prune-notifications.ts). */
export const indexNotificationsByTime: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index notification_by_time on notification (created_at)`.execute(db)
  },
}
