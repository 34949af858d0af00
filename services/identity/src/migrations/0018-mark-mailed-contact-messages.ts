import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** null: not mailed to the operator yet. The default is for rows of the previous release, which are not mailed again. */
export const markMailedContactMessages: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table contact_message add column mailed_at timestamptz default now()`.execute(db)
    await sql`create index contact_message_unmailed on contact_message (created_at) where mailed_at is null`.execute(db)
  },
}
