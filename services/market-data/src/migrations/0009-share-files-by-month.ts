import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Days of one month may share an object: each keeps a row of the manifest, and the object's size is in all of them. */
export const shareFilesByMonth: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table sealed_file
        -- Rows of a shared object; null when it has the rows of this day only.
        add column file_rows bigint,
        -- SHA-256 of the file that would hold this day alone; null when the object is that file.
        add column day_sha256 text`.execute(db)
  },
}
