import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The progress of erasing networks, per deleted account and table, until the account is settled. */
export const resumeErasure: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table erasure_pass (
        account_id uuid not null references erased_account on delete cascade,
        name text not null,
        started_at timestamptz not null,
        through_day date,
        finished_at timestamptz,
        primary key (account_id, name)
      )`.execute(db)
  },
}
