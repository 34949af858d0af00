import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counts address-change links per new address, over all accounts. */
export const paceChangesByAddress: Migration = {
  async up(db: Kysely<any>) {
    await sql`create index mail_of_change_to_address on mail (lower(recipient), sent_at) where kind = 'email-change'`.execute(
      db,
    )
  },
}
