import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Time until which scheduled flips were published; null: none yet. */
export const tellFlagFlips: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table platform_version add column flips_told_until timestamptz`.execute(db)
  },
}
