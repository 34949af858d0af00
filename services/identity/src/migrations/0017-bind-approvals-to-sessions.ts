import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The session that decided about a device: an approval ends with it. */
export const bindApprovalsToSessions: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table device_login add column session_id uuid`.execute(db)
  },
}
