import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addKeyTags: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table api_key
        add column tags text[] not null default '{}',
        add column owner_note text,
        add column external_id text`.execute(db)
    await sql`
      create unique index api_key_external_id on api_key (user_id, kind, external_id)
        where external_id is not null and state <> 'deleted'`.execute(db)
  },
}
