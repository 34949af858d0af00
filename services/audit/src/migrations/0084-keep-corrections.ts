import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a statement has of a correction, kept as long as the correction: its row may be past the retention by then. */
export const keepCorrections: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table usage_correction add column time timestamptz, add column leaf bytea, add column line jsonb`.execute(
      db,
    )
  },
}
