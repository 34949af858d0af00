import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The event that opened the book of a checkpoint; null if an earlier version wrote it. */
export const recordOpeningsOfBooks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table book_checkpoint add column opening_sequence bigint, add column opening_ts bigint`.execute(db)
  },
}
