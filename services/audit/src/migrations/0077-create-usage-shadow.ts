import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sums of what shadow limits decided, per hour and key; `first_…` of the earliest request that they would have rejected. */
export const createUsageShadow: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table usage_shadow (
        proposal_id uuid not null,
        hour_at timestamptz not null,
        account_id uuid not null,
        key_id text not null,
        requests bigint not null,
        rejected bigint not null,
        would_be_rejected bigint not null,
        newly_rejected bigint not null,
        newly_admitted bigint not null,
        by_burst bigint not null,
        by_min bigint not null,
        by_hour bigint not null,
        by_day bigint not null,
        by_month bigint not null,
        by_conc bigint not null,
        first_at timestamptz,
        first_request_id text,
        first_denied_by text[],
        last_at timestamptz,
        primary key (proposal_id, hour_at, account_id, key_id)
      )`.execute(db)
    await sql`create index usage_shadow_account on usage_shadow (account_id)`.execute(db)
    await sql`create index usage_shadow_hour on usage_shadow (hour_at)`.execute(db)
  },
}
