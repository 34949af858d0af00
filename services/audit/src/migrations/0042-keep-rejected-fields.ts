import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const keepRejectedFields: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table usage_event add column rejected_fields jsonb`.execute(db)
  },
}
