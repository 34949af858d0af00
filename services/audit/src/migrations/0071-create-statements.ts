import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createStatements: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Hours before closed_until accept no rows; those before sealed_until are in usage_closed_hour.
    await sql`
      create table usage_closing (
        id integer primary key check (id = 1),
        closed_until timestamptz not null,
        sealed_until timestamptz not null,
        check (sealed_until <= closed_until)
      )`.execute(db)
    await sql`
      create table usage_closed_hour (
        account_id uuid not null,
        hour_at timestamptz not null,
        requests bigint not null,
        root bytea not null,
        lines jsonb not null,
        closed_at timestamptz not null,
        primary key (account_id, hour_at)
      )`.execute(db)
    await sql`create index usage_closed_hour_by_hour on usage_closed_hour (hour_at)`.execute(db)
    await sql`
      create table usage_correction (
        id uuid primary key,
        account_id uuid not null,
        hour_at timestamptz not null,
        recorded_at timestamptz not null
      )`.execute(db)
    await sql`create index usage_correction_of_account on usage_correction (account_id, recorded_at)`.execute(db)
    await sql`create index usage_correction_by_hour on usage_correction (hour_at)`.execute(db)
    await sql`
      create table usage_statement (
        account_id uuid not null,
        month date not null,
        document text not null,
        issued_at timestamptz not null,
        primary key (account_id, month)
      )`.execute(db)
    // Rows arrive about in the order of their time, so that a small index finds an hour.
    await sql`create index usage_event_brin on usage_event using brin (time) with (pages_per_range = 32)`.execute(db)
    await sql`
      create function refuse_closed_change() returns trigger language plpgsql as $$
      begin
        raise exception 'a closed hour, a correction and a statement never change';
      end $$`.execute(db)
    for (const table of ['usage_closed_hour', 'usage_correction', 'usage_statement']) {
      await sql`
        create trigger ${sql.ref(`${table}_is_append_only`)} before update or delete or truncate on ${sql.table(table)}
        for each statement execute function refuse_closed_change()`.execute(db)
    }
  },
}
