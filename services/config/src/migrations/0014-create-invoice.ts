import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createInvoice: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table invoice (
        id uuid primary key,
        account_id uuid not null,
        tier text not null check (tier in ('basic', 'pro')),
        period_from timestamptz not null,
        period_to timestamptz not null,
        amount numeric(12, 2) not null check (amount > 0),
        currency text not null,
        issued_at timestamptz not null,
        constraint invoice_account_period unique (account_id, period_from)
      )`.execute(db)
    await sql`alter table subscription add column next_invoice_at timestamptz`.execute(db)
    await sql`
      create index subscription_next_invoice_at on subscription (next_invoice_at)
      where next_invoice_at is not null`.execute(db)
  },
}
