import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A secret that was replaced during an overlap keeps signing: the receiver may not have the one that replaced it. */
export const keepOldestSecret: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table webhook_endpoint add column oldest_encrypted_secret bytea`.execute(db)
  },
}
