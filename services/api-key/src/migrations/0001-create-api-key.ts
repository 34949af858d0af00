import { createOutboxTable } from '@tapeline/database/outbox-table'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createApiKey: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table api_key (
        id uuid primary key,
        user_id uuid not null,
        name text not null,
        description text,
        environment text not null check (environment in ('live', 'test')),
        scopes text[] not null,
        state text not null check (state in ('active', 'inactive', 'revoked', 'deleted')),
        version integer not null check (version >= 1),
        expires_at timestamptz,
        created_at timestamptz not null,
        revoked_at timestamptz,
        deleted_at timestamptz,
        check ((state = 'deleted') = (deleted_at is not null))
      )`.execute(db)
    await sql`create index api_key_of_user on api_key (user_id, created_at desc)`.execute(db)
    await sql`
      create table api_key_secret (
        kid text primary key,
        key_id uuid not null references api_key (id),
        secret_sha256 bytea not null check (length(secret_sha256) = 32),
        created_at timestamptz not null,
        ends_at timestamptz
      )`.execute(db)
    await sql`create unique index api_key_secret_current on api_key_secret (key_id) where ends_at is null`.execute(db)
    await createOutboxTable(db)
  },
}
