import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** `json`, not `jsonb`: the value is returned as written, so the measured size is its size. */
export const addFlagRulesAndGlobalConfigs: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table feature_flag
        add column rollout_percent double precision not null default 100
          check (rollout_percent >= 0 and rollout_percent <= 100),
        add column enabled_from timestamptz,
        add column enabled_until timestamptz,
        add column version integer not null default 1 check (version >= 1)`.execute(db)
    await sql`
      create table feature_flag_change (
        flag_id uuid not null references feature_flag (id),
        version integer not null,
        before json,
        after json not null,
        changed_by text,
        changed_at timestamptz not null,
        reason text,
        primary key (flag_id, version)
      )`.execute(db)
    await sql`
      create table global_config (
        id uuid primary key,
        key text not null unique,
        state json,
        version integer not null check (version >= 1),
        updated_by text,
        updated_at timestamptz not null
      )`.execute(db)
    await sql`
      create table global_config_change (
        config_id uuid not null references global_config (id),
        version integer not null,
        before json,
        after json,
        changed_by text,
        changed_at timestamptz not null,
        reason text,
        primary key (config_id, version)
      )`.execute(db)
    await sql`
      create table platform_version (
        is_only boolean primary key default true check (is_only),
        version integer not null check (version >= 1)
      )`.execute(db)
    await sql`insert into platform_version (version) values (1)`.execute(db)
  },
}
