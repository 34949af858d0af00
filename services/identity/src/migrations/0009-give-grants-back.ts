import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const giveGrantsBack: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table grant_to_revoke (
        id uuid primary key,
        sealed_token bytea not null,
        created_at timestamptz not null
      )`.execute(db)
  },
}
