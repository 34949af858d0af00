import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addEmailLinksAndAccountLife: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table email_link (
        hash bytea primary key,
        user_id uuid not null references user_account on delete cascade,
        purpose text not null check (purpose in ('verify', 'change')),
        email text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        unique (user_id, purpose)
      )`.execute(db)
    await sql`create index mail_of_user on mail (user_id, kind, created_at)`.execute(db)
    await sql`
      alter table user_account
        add column deletion_due_at timestamptz,
        add column can_return boolean not null default false,
        add constraint user_account_deletion_check check (deletion_due_at is null or status = 'inactive')`.execute(db)
    await sql`
      create index user_account_deletion on user_account (deletion_due_at)
        where deletion_due_at is not null`.execute(db)
    await createExports(db)
  },
}

async function createExports(db: Kysely<any>): Promise<void> {
  await sql`
    create table account_export (
      id uuid primary key,
      user_id uuid not null references user_account on delete cascade,
      requested_at timestamptz not null,
      ready_at timestamptz,
      failed_at timestamptz,
      expires_at timestamptz,
      token_hash bytea unique,
      sealed_content bytea
    )`.execute(db)
  await sql`
    create unique index account_export_running on account_export (user_id)
      where ready_at is null and failed_at is null`.execute(db)
  await sql`create index account_export_of_user on account_export (user_id, requested_at)`.execute(db)
}
