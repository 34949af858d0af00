import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which symbols of which venues are to be connected, and what the process that connects a feed last reported. */
export const createVenues: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table venue (
        name text primary key,
        symbols text[] not null default '{}',
        configured_symbols text[] not null default '{}',
        is_paused boolean not null default false,
        version integer not null default 0
      )`.execute(db)
    await sql`
      create table venue_feed_report (
        feed text primary key,
        report jsonb not null,
        reported_at timestamptz not null
      )`.execute(db)
  },
}
