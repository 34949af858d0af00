import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sequences of the events up to a checkpoint's time that belong after it; null if an earlier version wrote it. */
export const listAwaitedEventsOfCheckpoints: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table book_checkpoint add column awaited bigint[]`.execute(db)
  },
}
