import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createCustomReports: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table custom_report (
        id uuid primary key,
        account_id uuid not null,
        name text not null,
        api_key_id uuid,
        status text,
        breakdown text not null,
        weekday smallint not null,
        hour smallint not null,
        active boolean not null,
        next_at timestamptz,
        last_made_at timestamptz,
        created_at timestamptz not null
      )`.execute(db)
    await sql`create index custom_report_by_account on custom_report (account_id, created_at, id)`.execute(db)
    await sql`create index custom_report_due on custom_report (next_at, id) where active`.execute(db)
  },
}
