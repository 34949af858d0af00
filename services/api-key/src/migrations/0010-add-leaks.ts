import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addLeaks: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table leak_policy (
        user_id uuid primary key,
        action text not null,
        changed_at timestamptz not null
      )`.execute(db)
    await sql`
      create table leak_report (
        kid text primary key references api_key_secret on delete cascade,
        reported_at timestamptz not null
      )`.execute(db)
  },
}
