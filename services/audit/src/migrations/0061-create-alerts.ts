import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createAlerts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table usage_alert (
        id uuid primary key,
        account_id uuid not null,
        name text not null,
        api_key_id uuid,
        policy text not null,
        percent smallint not null,
        channels text[] not null,
        active boolean not null,
        last_raised_at timestamptz,
        created_at timestamptz not null
      )`.execute(db)
    await sql`create index usage_alert_by_account on usage_alert (account_id, created_at, id)`.execute(db)
  },
}
