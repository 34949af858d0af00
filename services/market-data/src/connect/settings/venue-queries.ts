import type { FeedReport } from '@tapeline/contracts/market-data/venues'
import { announceWork } from '@tapeline/database/work-signals'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables, VenueRow } from '../../tables.ts'

/** Announced when an administrator changed what is to be connected. */
export const VENUES_WORK = 'venues'

export async function listVenueRows(db: Kysely<Tables>): Promise<VenueRow[]> {
  return db.selectFrom('venue').selectAll().execute()
}

/** The row, locked; it is inserted before the first change. */
export async function lockVenue(trx: Transaction<Tables>, name: string): Promise<VenueRow> {
  await trx
    .insertInto('venue')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('venue').selectAll().where('name', '=', name).forUpdate().executeTakeFirstOrThrow()
}

export async function updateVenue(
  trx: Transaction<Tables>,
  { name, symbols, is_paused, version }: Omit<VenueRow, 'configured_symbols'>,
): Promise<void> {
  await trx.updateTable('venue').set({ symbols, is_paused, version }).where('name', '=', name).execute()
  await announceWork(trx, VENUES_WORK)
}

/** Stores the symbols of the setting CONNECT for every venue; venues that it no longer names get none. */
export async function saveConfiguredSymbols(
  trx: Transaction<Tables>,
  symbolsOf: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  await trx
    .updateTable('venue')
    .set({ configured_symbols: [] })
    .where('name', 'not in', ['', ...symbolsOf.keys()])
    .execute()
  for (const [name, symbols] of symbolsOf) {
    await trx
      .insertInto('venue')
      .values({ name, configured_symbols: symbols })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ configured_symbols: symbols }))
      .execute()
  }
}

export type FeedReportRow = { feed: string; report: FeedReport; ageMs: number }

export async function listFeedReports(db: Kysely<Tables>): Promise<FeedReportRow[]> {
  const { rows } = await sql<FeedReportRow>`
    select feed, report, (extract(epoch from clock_timestamp() - reported_at) * 1000)::float8 as "ageMs"
    from venue_feed_report`.execute(db)
  return rows
}

export async function saveFeedReport(db: Kysely<Tables>, feed: string, report: FeedReport): Promise<void> {
  await sql`
    insert into venue_feed_report (feed, report, reported_at)
    values (${feed}, ${JSON.stringify(report)}, clock_timestamp())
    on conflict (feed) do update set report = excluded.report, reported_at = excluded.reported_at`.execute(db)
}
