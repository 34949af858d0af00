import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The manifest of the lake: a day of an instrument's channel is sealed when it has a current row here. */
export const createSealedFiles: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table sealed_file (
        file_id uuid not null default uuidv7() unique,
        instrument_id integer not null references instrument,
        channel text not null check (channel in ('trade', 'l2_event')),
        day integer not null,
        revision integer not null,
        object_key text not null,
        layout text not null,
        row_count bigint not null,
        bytes bigint not null,
        sha256 text not null,
        tail_bytes integer not null,
        tail_sha256 text not null,
        ts_min bigint not null,
        ts_max bigint not null,
        sequence_min bigint not null,
        sequence_max bigint not null,
        sealed_at timestamptz not null default now(),
        superseded_at timestamptz,
        hot_dropped_at timestamptz,
        primary key (instrument_id, channel, day, revision)
      )`.execute(db)
    await sql`
      create unique index sealed_file_current on sealed_file (instrument_id, channel, day)
      where superseded_at is null`.execute(db)
    await sql`create index sealed_file_object on sealed_file (object_key)`.execute(db)
    // Answers show the gaps of a range; those of a dropped day are no longer in l2_event.
    await sql`
      create table sealed_gap (
        instrument_id integer not null references instrument,
        ts_event bigint not null,
        sequence bigint not null,
        gap_reason text,
        gap_from_ts bigint,
        primary key (instrument_id, ts_event, sequence)
      )`.execute(db)
  },
}
