import { createOutboxTable } from '@tapeline/database/outbox-table'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createConfig: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table tier_document (
        version integer primary key check (version >= 1),
        config jsonb not null,
        written_by text not null,
        created_at timestamptz not null
      )`.execute(db)
    await sql`
      create table subscription (
        account_id uuid primary key,
        tier text not null check (tier in ('free', 'basic', 'pro')),
        anchor timestamptz not null,
        trial_ends_at timestamptz,
        rate_limits jsonb,
        time_zone text not null,
        version integer not null check (version >= 1),
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`.execute(db)
    await sql`
      create table feature_flag (
        id uuid primary key,
        key text not null,
        role text not null check (role in ('user', 'tester', 'admin')),
        enabled boolean not null,
        is_active boolean not null,
        is_public boolean not null,
        description text,
        category text,
        priority integer,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        deleted_at timestamptz,
        constraint feature_flag_key_role unique (key, role)
      )`.execute(db)
    await createOutboxTable(db)
  },
}
