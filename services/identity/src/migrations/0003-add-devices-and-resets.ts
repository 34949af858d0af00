import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addDevicesAndResets: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table session add column user_agent text, add column network text`.execute(db)
    await sql`alter table session drop constraint session_end_reason_check`.execute(db)
    await sql`
      alter table session add constraint session_end_reason_check
        check (end_reason in ('signed_out', 'refresh_reused', 'revoked', 'password_changed'))`.execute(db)
    await sql`
      create table password_reset (
        hash bytea primary key,
        user_id uuid not null unique references user_account on delete cascade,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db)
    await createMails(db)
  },
}

async function createMails(db: Kysely<any>): Promise<void> {
  await sql`
    create table mail (
      id uuid primary key,
      user_id uuid references user_account on delete cascade,
      kind text not null,
      recipient text not null,
      sealed_data bytea not null,
      created_at timestamptz not null,
      sent_at timestamptz,
      failed_at timestamptz,
      failure text
    )`.execute(db)
  await sql`create index mail_waiting on mail (created_at) where sent_at is null and failed_at is null`.execute(db)
}
