import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createWebhooks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table webhook_endpoint (
        id uuid primary key,
        account_id uuid not null,
        tier text not null,
        name text not null,
        url text not null,
        event_types text[] not null,
        state text not null,
        disabled_reason text,
        failing_since timestamptz,
        encrypted_secret bytea not null,
        previous_encrypted_secret bytea,
        previous_secret_until timestamptz,
        next_sequence bigint not null default 1,
        idempotency_key text,
        fingerprint bytea,
        created_at timestamptz not null
      )`.execute(db)
    await sql`create index webhook_endpoint_by_account on webhook_endpoint (account_id, created_at, id)`.execute(db)
    await sql`
      create unique index webhook_endpoint_creation on webhook_endpoint (account_id, idempotency_key)
      where idempotency_key is not null`.execute(db)
    await sql`
      create table webhook_delivery (
        id uuid primary key default uuidv7(),
        endpoint_id uuid not null references webhook_endpoint on delete cascade,
        account_id uuid not null,
        sequence bigint not null,
        event_id uuid not null,
        type text not null,
        subject text not null,
        occurred_at timestamptz not null,
        data jsonb not null,
        state text not null default 'waiting',
        due_at timestamptz not null,
        tries integer not null default 0,
        attempts jsonb not null default '[]',
        answer jsonb,
        created_at timestamptz not null,
        unique (endpoint_id, event_id)
      )`.execute(db)
    await sql`
      create index webhook_delivery_waiting on webhook_delivery (endpoint_id, due_at)
      where state = 'waiting'`.execute(db)
    await sql`create index webhook_delivery_due on webhook_delivery (due_at) where state = 'waiting'`.execute(db)
    await sql`
      create index webhook_delivery_by_endpoint on webhook_delivery (endpoint_id, created_at, id)`.execute(db)
    await sql`create index webhook_delivery_by_time on webhook_delivery (created_at)`.execute(db)
  },
}
