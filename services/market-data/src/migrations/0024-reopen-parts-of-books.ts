import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Parts of a book before its position whose events must be examined for checkpoints again. */
export const reopenPartsOfBooks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table book_reopened (
        instrument_id integer not null references instrument,
        from_ts bigint not null,
        until_ts bigint not null,
        primary key (instrument_id, from_ts)
      )`.execute(db)
  },
}
