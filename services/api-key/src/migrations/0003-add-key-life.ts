import { createConsumerTables } from '@tapeline/database/consumer-tables'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addKeyLife: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table api_key
        add column expiry_notice smallint not null default 0 check (expiry_notice between 0 and 3),
        add column owner_stopped_at timestamptz`.execute(db)
    await sql`
      create index api_key_to_notify on api_key (expires_at)
        where expiry_notice < 3 and state in ('active', 'inactive')`.execute(db)
    await sql`create index api_key_deleted on api_key (deleted_at) where state = 'deleted'`.execute(db)
    await sql`create index api_key_secret_of_key on api_key_secret (key_id)`.execute(db)
    await sql`
      create table api_key_use (
        kid text primary key,
        key_id uuid not null references api_key (id) on delete cascade,
        last_used_at timestamptz not null
      )`.execute(db)
    await sql`create index api_key_use_of_key on api_key_use (key_id)`.execute(db)
    await sql`
      create table api_key_network (
        key_id uuid not null references api_key (id) on delete cascade,
        network text not null,
        last_seen_at timestamptz not null,
        primary key (key_id, network)
      )`.execute(db)
    await sql`
      create table idempotent_creation (
        user_id uuid not null,
        idempotency_key text not null,
        fingerprint bytea not null check (length(fingerprint) = 32),
        answer jsonb not null,
        created_at timestamptz not null,
        primary key (user_id, idempotency_key)
      )`.execute(db)
    await sql`create index idempotent_creation_by_age on idempotent_creation (created_at)`.execute(db)
    await createConsumerTables(db)
  },
}
