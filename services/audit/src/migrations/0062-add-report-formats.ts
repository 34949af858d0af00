import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addReportFormats: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table custom_report
        add column format text not null default 'csv',
        add column route text`.execute(db)
  },
}
