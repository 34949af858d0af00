import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Each version of the tier documents keeps the shadow limits that were decided beside it. */
export const addShadowLimits: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table tier_document add column shadow jsonb not null default '{}'`.execute(db)
  },
}
