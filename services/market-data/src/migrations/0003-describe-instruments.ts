import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Symbology. Values that a source does not state stay null; `numeric` keeps a tick's digits as they were given. */
export const describeInstruments: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table instrument
        add column kind text not null default 'spot' check (kind in ('spot', 'perpetual', 'dated')),
        add column tick numeric check (tick > 0),
        add column lot numeric check (lot > 0),
        add column multiplier numeric check (multiplier > 0),
        add column aliases text[] not null default '{}',
        add column valid_from timestamptz,
        add column valid_to timestamptz`.execute(db)
    await sql`
      update instrument set tick = grid.tick, lot = grid.lot
      from (values (1, 0.5, 0.00001), (2, 0.05, 0.0001), (3, 0.01, 0.01), (4, 0.01, 1)) as grid (id, tick, lot)
      where instrument_id = grid.id`.execute(db)
  },
}
