import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What one address was sent that nobody signed in had asked for. */
export const paceMailsByAddress: Migration = {
  async up(db: Kysely<any>) {
    await sql`create index mail_to_address on mail (recipient, sent_at) where user_id is null`.execute(db)
  },
}
