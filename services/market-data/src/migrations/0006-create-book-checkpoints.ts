import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Books at some of their events. Everything here is derived and can be dropped: jobs write it again. */
export const createBookCheckpoints: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table book_checkpoint (
        instrument_id integer not null references instrument,
        through_ts bigint not null,
        sequence bigint not null,
        resume_ts bigint not null,
        book_epoch integer not null,
        ts_event bigint not null,
        ts_recv bigint not null,
        depth_limit integer,
        bids text not null,
        asks text not null,
        primary key (instrument_id, through_ts, sequence)
      )`.execute(db)
    // How far the events of a book were examined for checkpoints.
    await sql`
      create table book_position (
        instrument_id integer primary key references instrument,
        ts_event bigint not null
      )`.execute(db)
  },
}
