import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Nothing reads the SHA-256 that a day of a shared object would have in a file of its own. */
export const dropDaySha256: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table sealed_file drop column day_sha256`.execute(db)
  },
}
