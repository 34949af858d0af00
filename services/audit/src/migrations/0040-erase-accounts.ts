import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const eraseAccounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table erased_account (
        account_id uuid primary key,
        deleted_at timestamptz not null,
        settled_at timestamptz
      )`.execute(db)
    await sql`create index erased_account_open on erased_account (deleted_at) where settled_at is null`.execute(db)
    // What was personal may be taken out of the trail, never an entry.
    await sql`
      create or replace function refuse_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and current_setting('tapeline.erasing', true) = 'on' then
          return null;
        end if;
        raise exception 'the audit trail is append-only';
      end $$`.execute(db)
  },
}
