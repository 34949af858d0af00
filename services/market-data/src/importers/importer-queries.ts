import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

export const LOOK_BACK_NS = 60_000_000_000n

export type StoredBook = { venue: string; symbol: string; lastUpdateId: string; before: string }

/** Whether the update with this id is in PostgreSQL, at most a minute before the given time. */
export async function isBookInTable(
  db: Kysely<Tables>,
  { venue, symbol, lastUpdateId, before }: StoredBook,
): Promise<boolean> {
  const from = BigInt(before) - LOOK_BACK_NS
  const { rows } = await sql`
    select from l2_event join instrument using (instrument_id)
    where venue = ${venue} and symbol = ${symbol} and ts_event between ${from} and ${BigInt(before)}
      and source_id = ${lastUpdateId} limit 1`.execute(db)
  return rows.length > 0
}

/** Undefined when no record of the instrument was ever stored. */
export async function findInstrumentId(db: Kysely<Tables>, venue: string, symbol: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('instrument')
    .select('instrument_id')
    .where('venue', '=', venue)
    .where('symbol', '=', symbol)
    .executeTakeFirst()
  return row?.instrument_id
}
