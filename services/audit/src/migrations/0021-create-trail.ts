import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createTrail: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table audit_trail (
        id uuid primary key,
        position bigint generated always as identity,
        scope text not null,
        time timestamptz not null,
        account_id uuid,
        actor_kind text not null,
        actor_id text,
        network text,
        type text not null,
        subject text not null,
        before jsonb,
        after jsonb,
        reason text,
        details jsonb not null,
        hash bytea not null
      )`.execute(db)
    await sql`create index audit_trail_by_time on audit_trail (scope, time, id)`.execute(db)
    await sql`create unique index audit_trail_by_scope on audit_trail (scope, position)`.execute(db)
    await sql`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit trail is append-only';
      end $$`.execute(db)
    await sql`
      create trigger audit_trail_is_append_only before update or delete or truncate on audit_trail
      for each statement execute function refuse_change()`.execute(db)
    await sql`create table audit_trail_head (scope text primary key, hash bytea not null)`.execute(db)
    await sql`
      create table known_key (
        account_id uuid not null,
        key_id text not null,
        name text not null,
        named_at timestamptz not null,
        primary key (account_id, key_id)
      )`.execute(db)
  },
}
