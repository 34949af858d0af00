import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Beside the version of the flags: until when their schedules were told; null: nothing was looked at yet. */
export const tellFlagFlips: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table platform_version add column flips_told_until timestamptz`.execute(db)
  },
}
