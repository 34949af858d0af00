import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** After a restore versions are given out again: a revision of its own says that it is another state. */
export const tellRestoredVersionsApart: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table platform_version add column revision uuid not null default gen_random_uuid()`.execute(db)
    await sql`alter table tier_document add column revision uuid not null default gen_random_uuid()`.execute(db)
  },
}
