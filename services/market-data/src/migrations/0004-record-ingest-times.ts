import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * When sequences were given: what was stored by a time is every row up to the sequence of the last mark before it. Rows
 * that were stored before there were marks count as stored at 0.
 */
export const recordIngestTimes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table ingest_mark (
        instrument_id integer not null,
        channel text not null,
        stored_at bigint not null,
        sequence bigint not null,
        primary key (instrument_id, channel, stored_at)
      )`.execute(db)
    await sql`
      insert into ingest_mark (instrument_id, channel, stored_at, sequence)
      select instrument_id, name, 0, last_sequence from channel where last_sequence > 0`.execute(db)
  },
}
