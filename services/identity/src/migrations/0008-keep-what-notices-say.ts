import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const keepWhatNoticesSay: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table notice add column data jsonb`.execute(db)
  },
}
