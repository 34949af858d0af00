import { createConsumerTables } from '@tapeline/database/consumer-tables'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createUsage: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createConsumerTables(db)
    // The id names the event; the time is in the key because PostgreSQL requires the partition column in it.
    await sql`
      create table usage_event (
        id uuid not null,
        time timestamptz not null,
        account_id uuid not null,
        key_id text not null,
        kid text,
        tier text not null,
        method text not null,
        route text not null,
        status smallint not null,
        outcome text not null,
        code text,
        verdict text not null,
        decision jsonb not null,
        latency_us bigint not null,
        upstream_latency_us bigint,
        bytes_in bigint not null,
        bytes_out bigint not null,
        rows_returned bigint,
        gateway_id text not null,
        request_id text not null,
        network text not null,
        primary key (id, time)
      ) partition by range (time)`.execute(db)
    await createRollUp(db, 'usage_minute', 'partition by range (bucket_at)')
    await createRollUp(db, 'usage_quarter_hour', '')
    await createRollUp(db, 'usage_hour', '')
    await createRollUp(db, 'usage_day', '')
    await sql`
      create table usage_account (
        account_id uuid primary key,
        windows jsonb not null,
        windows_at timestamptz not null
      )`.execute(db)
    await sql`
      create table usage_progress (
        topic text primary key,
        complete_until timestamptz not null
      )`.execute(db)
  },
}

async function createRollUp(db: Kysely<unknown>, table: string, partitioning: string): Promise<void> {
  await sql`
    create table ${sql.table(table)} (
      account_id uuid not null,
      bucket_at timestamptz not null,
      key_id text not null,
      route text not null,
      status smallint not null,
      outcome text not null,
      requests bigint not null,
      admitted bigint not null,
      denied bigint not null,
      refused bigint not null,
      bytes_in bigint not null,
      bytes_out bigint not null,
      rows_returned bigint not null,
      peak_burst bigint not null,
      peak_min bigint not null,
      peak_hour bigint not null,
      peak_day bigint not null,
      peak_month bigint not null,
      peak_conc bigint not null,
      latency bytea not null,
      last_at timestamptz not null,
      primary key (account_id, bucket_at, key_id, route, status, outcome)
    ) ${sql.raw(partitioning)}`.execute(db)
}
