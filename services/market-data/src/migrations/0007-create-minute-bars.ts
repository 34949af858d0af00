import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const DAY_NS = 86_400_000_000_000n

/** One-minute bars, kept in the transaction that stores their trades. */
export const createMinuteBars: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table bar_1m (
        instrument_id integer not null references instrument,
        minute bigint not null,
        first_ts bigint not null,
        first_sequence bigint not null,
        last_ts bigint not null,
        last_sequence bigint not null,
        count integer not null,
        open numeric not null,
        high numeric not null,
        low numeric not null,
        close numeric not null,
        volume numeric not null,
        notional numeric not null,
        primary key (instrument_id, minute)
      )`.execute(db)
    // Days whose kept bars do not have all trades: a job adds them up, and readers use the trades until then.
    await sql`
      create table bar_unkept_day (
        instrument_id integer not null references instrument,
        day integer not null,
        primary key (instrument_id, day)
      )`.execute(db)
    await sql`
      insert into bar_unkept_day (instrument_id, day)
      select instrument_id, day from channel cross join lateral generate_series(
        (first_ts_event / ${sql.lit(String(DAY_NS))}::bigint)::int, (last_ts_event / ${sql.lit(String(DAY_NS))}::bigint)::int
      ) as day where name = 'trade' and first_ts_event is not null`.execute(db)
  },
}
