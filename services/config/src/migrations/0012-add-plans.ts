import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addPlans: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table tier_document add column reason text`.execute(db)
    await sql`
      alter table subscription
        add column tier_after_trial text check (tier_after_trial in ('free', 'basic', 'pro')),
        add column trial_notice smallint not null default 0`.execute(db)
    await sql`create index subscription_trial_ends_at on subscription (trial_ends_at) where trial_ends_at is not null`.execute(
      db,
    )
    await sql`
      create table trial (
        account_id uuid not null,
        tier text not null check (tier in ('basic', 'pro')),
        started_at timestamptz not null,
        ends_at timestamptz not null,
        ended_at timestamptz,
        end_reason text check (end_reason in ('over', 'cancelled', 'replaced')),
        primary key (account_id, tier)
      )`.execute(db)
  },
}
