import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For statements, which read the corrections of an hour in pages: without it, each page sorts all of them. */
export const indexCorrections: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index usage_correction_leaves on usage_correction (account_id, hour_at, time nulls first, id)`.execute(db)
  },
}
