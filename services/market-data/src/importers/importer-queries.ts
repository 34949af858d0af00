import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { SETTLED_NS } from '../lake/sealing/seal-settled-days.ts'
import { dayStart } from '../nanoseconds.ts'
import type { ChannelName, Tables } from '../tables.ts'

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

type ChannelDay = { instrumentId: number; channel: ChannelName; day: number }

/**
 * Whether records of a day are written straight into the lake: it ended 24 hours before `before` and before the time up
 * to which its channel is complete, and PostgreSQL has no rows of it.
 */
export async function isDirectDay(pool: pg.Pool, { instrumentId, channel, day }: ChannelDay, before: bigint) {
  const [start, end] = [dayStart(day), dayStart(day + 1)]
  if (end + SETTLED_NS > before) return false
  const { rows } = await pool.query({
    text: `select from channel c
           where c.instrument_id = $1 and c.name = $2 and coalesce(c.complete_through, $5::bigint) >= $6::bigint
             and not exists (select from ${channel} r
                             where r.instrument_id = $1 and r.ts_event >= $3 and r.ts_event < $4)
             and not exists (select from sealed_file f
                             where f.instrument_id = $1 and f.channel = $2 and f.day = $7 and f.superseded_at is null
                               and f.hot_dropped_at is null)`,
    values: [instrumentId, channel, start, end, before, end + SETTLED_NS, day],
  })
  return rows.length > 0
}
