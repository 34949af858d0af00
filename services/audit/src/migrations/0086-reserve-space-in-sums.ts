import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const TABLES = ['usage_quarter_hour', 'usage_hour', 'usage_account_hour', 'usage_day', 'usage_account_day']

/**
 * A sum is updated by most batches and its sketch grows. With free space in its page, the new version stays there and needs no
 * entry in the index. Partitions get the same when they are created (rollups/partition-queries.ts). Applies to new pages.
 */
export const reserveSpaceInSums: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of TABLES) await sql`alter table ${sql.table(table)} set (fillfactor = 60)`.execute(db)
  },
}
