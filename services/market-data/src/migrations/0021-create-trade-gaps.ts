import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Trades that were not received, by the venue's ids. A row stays when they arrive later, for answers as of a time before. */
export const createTradeGaps: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table trade_gap (
        instrument_id integer not null,
        from_id bigint not null,
        to_id bigint not null,
        missing bigint not null,
        from_ts bigint not null,
        to_ts bigint not null,
        noticed_at timestamptz not null default now(),
        filled_at timestamptz,
        primary key (instrument_id, from_id, to_id)
      )`.execute(db)
    await sql`create index trade_gap_by_time on trade_gap (instrument_id, to_ts)`.execute(db)
  },
}
