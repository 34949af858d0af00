import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A restored database reuses version numbers: the revision distinguishes the states. */
export const tellRestoredVersionsApart: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table platform_version add column revision uuid not null default gen_random_uuid()`.execute(db)
    await sql`alter table tier_document add column revision uuid not null default gen_random_uuid()`.execute(db)
  },
}
