import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createUserSettings: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table user_settings (
        account_id uuid not null,
        version integer not null check (version >= 1),
        settings jsonb not null,
        saved_at timestamptz not null,
        primary key (account_id, version)
      )`.execute(db)
  },
}
