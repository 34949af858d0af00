import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sign-ins of programs without a browser of their own, until a person decides. */
export const addDeviceLogins: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table device_login (
        device_code_hash bytea primary key,
        user_code text not null unique,
        client_name text not null,
        network text,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        user_id uuid references user_account (id) on delete cascade,
        is_approved boolean,
        decided_at timestamptz,
        constraint device_login_decided check (num_nulls(user_id, is_approved, decided_at) in (0, 3))
      )`.execute(db)
    await sql`create index device_login_expires_at on device_login (expires_at)`.execute(db)
    await sql`create index device_login_user_id on device_login (user_id) where user_id is not null`.execute(db)
  },
}
