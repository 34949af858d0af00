import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createUsageChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Minutes in which the limiter counted another number of requests than there are rows.
    await sql`
      create table usage_check (
        account_id uuid not null,
        minute_at timestamptz not null,
        cells bigint not null,
        rows bigint not null,
        state text not null check (state in ('pending', 'drift', 'unverified', 'closed')),
        checked_at timestamptz not null,
        primary key (account_id, minute_at)
      )`.execute(db)
    await sql`
      create index usage_check_open on usage_check (account_id) where state in ('pending', 'drift')`.execute(db)
    await sql`alter table usage_progress add column checked_until timestamptz`.execute(db)
  },
}
