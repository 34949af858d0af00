import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

const LOOK_BACK_NS = 60_000_000_000n

export type StoredBook = { venue: string; symbol: string; lastUpdateId: string; before: string }

/** Whether the update with this id is stored, at most a minute before the given time. */
export async function isBookStoredUpTo(
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
