import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addShadowLimits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table api_key add column shadow_limits jsonb`.execute(db)
  },
}
