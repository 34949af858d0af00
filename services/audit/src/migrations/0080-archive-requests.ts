import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Days of the request log whose rows are in files of the object store (request-log/archive/). */
export const archiveRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table archived_day (
        day date primary key,
        rows bigint not null,
        archived_at timestamptz not null,
        dropped_at timestamptz
      )`.execute(db)
    await sql`
      create table archive_file (
        day date not null references archived_day (day) on delete cascade,
        number integer not null,
        first_account integer not null,
        last_account integer not null,
        rows integer not null,
        bytes bigint not null,
        sha256 text not null,
        footer_bytes integer not null,
        footer_sha256 text not null,
        key text not null,
        primary key (day, number)
      )`.execute(db)
    await sql`create table archive_identity (id text not null)`.execute(db)
    await sql`insert into archive_identity values (substr(gen_random_uuid()::text, 1, 8))`.execute(db)
    await sql`alter table erased_account add column archive_erased_at timestamptz`.execute(db)
  },
}
