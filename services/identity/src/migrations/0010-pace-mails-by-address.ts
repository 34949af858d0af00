import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counts unauthenticated mails per address. */
export const paceMailsByAddress: Migration = {
  async up(db: Kysely<any>) {
    await sql`create index mail_to_address on mail (recipient, sent_at) where user_id is null`.execute(db)
  },
}
