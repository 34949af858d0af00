import { createOutboxTable } from '@tapeline/database/outbox-table'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createIdentity: Migration = {
  async up(db: Kysely<any>) {
    await createUsers(db)
    await createSessions(db)
    await sql`
      create table signing_key (
        kid text primary key,
        public_key text not null,
        sealed_private_key bytea not null,
        created_at timestamptz not null,
        signs_from timestamptz not null
      )`.execute(db)
    await createOutboxTable(db)
  },
}

async function createUsers(db: Kysely<any>): Promise<void> {
  await sql`
    create table user_account (
      id uuid primary key,
      email text not null,
      email_canonical text not null constraint user_account_email_key unique,
      email_verified boolean not null default false,
      first_name text not null,
      last_name text not null,
      mobile text not null,
      password_hash text not null,
      role text not null check (role in ('user', 'tester', 'admin')),
      status text not null check (status in ('active', 'inactive')),
      profile_picture text,
      reminder_enabled boolean not null default true,
      reminder_time smallint not null default 9 check (reminder_time between 0 and 23),
      reminder_method text not null default 'email' check (reminder_method in ('email', 'push')),
      last_login_at timestamptz,
      created_at timestamptz not null,
      version integer not null,
      not_before timestamptz not null
    )`.execute(db)
}

async function createSessions(db: Kysely<any>): Promise<void> {
  await sql`
    create table session (
      id uuid primary key,
      user_id uuid not null references user_account on delete cascade,
      is_remembered boolean not null,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      end_reason text check (end_reason in ('signed_out', 'refresh_reused', 'revoked'))
    )`.execute(db)
  await sql`create index session_ended on session (user_id, ended_at) where ended_at is not null`.execute(db)
  await sql`create index session_end on session (ended_at) where ended_at is not null`.execute(db)
  await sql`create index session_expiry on session (expires_at)`.execute(db)
  await sql`
    create table refresh_token (
      hash bytea primary key,
      session_id uuid not null references session on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz,
      sealed_successor bytea
    )`.execute(db)
  await sql`create index refresh_token_session on refresh_token (session_id)`.execute(db)
}
