import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For the jobs that delete old checks, and that count the rows of adjusted minutes again: the table can have millions of rows. */
export const indexChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index usage_check_by_minute on usage_check (minute_at)`.execute(db)
    await sql`create index usage_check_adjusted on usage_check (minute_at) where state = 'closed'`.execute(db)
  },
}
