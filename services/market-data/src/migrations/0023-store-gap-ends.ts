import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The snapshot with which a gap of a book ends stores when the gap began. */
export const storeGapEnds: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table sealed_gap add column is_end boolean not null default false`.execute(db)
    await sql`create index l2_event_gap_end on l2_event (instrument_id, ts_event)
      where type = 's' and gap_from_ts is not null`.execute(db)
  },
}
