import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addKnownDevicesAndContact: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table user_account
        add column devices_not_before timestamptz not null default '1970-01-01T00:00:00Z'`.execute(db)
    await sql`create index user_account_created on user_account (created_at desc, id desc)`.execute(db)
    await sql`
      create table contact_message (
        id uuid primary key,
        name text not null,
        email text not null,
        topic text not null,
        message text not null,
        network text,
        created_at timestamptz not null
      )`.execute(db)
    await sql`create index contact_message_created on contact_message (created_at)`.execute(db)
  },
}
