import { createConsumerTables } from '@tapeline/database/consumer-tables'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addPushNoticesAndReminders: Migration = {
  async up(db: Kysely<any>) {
    await createConsumerTables(db)
    await createPushes(db)
    await sql`
      create table notice (
        id uuid primary key,
        user_id uuid not null references user_account on delete cascade,
        kind text not null,
        title text not null,
        text text not null,
        raised_at timestamptz not null,
        look_at timestamptz not null,
        settled_at timestamptz,
        outcome text check (outcome in ('told', 'unwanted'))
      )`.execute(db)
    await sql`create index notice_waiting on notice (user_id, look_at) where settled_at is null`.execute(db)
    await sql`create index notice_settled on notice (settled_at) where settled_at is not null`.execute(db)
    await sql`
      create table reminder (
        user_id uuid primary key references user_account on delete cascade,
        hour smallint not null,
        due_at timestamptz,
        told_day date
      )`.execute(db)
  },
}

async function createPushes(db: Kysely<any>): Promise<void> {
  await sql`
    create table vapid_key (
      is_only boolean primary key default true check (is_only),
      public_key text not null,
      sealed_private_key bytea not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table push_subscription (
      id uuid primary key,
      user_id uuid not null references user_account on delete cascade,
      session_id uuid not null references session on delete cascade,
      endpoint_hash bytea not null unique,
      sealed_subscription bytea not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index push_subscription_user on push_subscription (user_id, created_at)`.execute(db)
  await sql`create index push_subscription_session on push_subscription (session_id)`.execute(db)
  await sql`
    create table push (
      id uuid primary key,
      subscription_id uuid not null references push_subscription on delete cascade,
      sealed_message bytea not null,
      created_at timestamptz not null,
      sent_at timestamptz,
      failed_at timestamptz,
      failure text
    )`.execute(db)
  await sql`create index push_waiting on push (created_at) where sent_at is null and failed_at is null`.execute(db)
  await sql`create index push_of_subscription on push (subscription_id)`.execute(db)
}
