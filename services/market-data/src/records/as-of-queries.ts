import type pg from 'pg'
import type { ChannelName } from '../tables.ts'

export type AsOf = { channel: ChannelName; instrumentIds: readonly number[]; asOf: string }

/** Current time of PostgreSQL's clock in nanoseconds since 1970; marks use the same clock. */
export const CLOCK_NS = '(extract(epoch from clock_timestamp()) * 1000000)::bigint * 1000'

export async function readClock(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ now: string }>(`select ${CLOCK_NS} as now`)
  return BigInt(rows[0]?.now ?? 0)
}

/** Waits until writers that have locked one of the channels have committed or rolled back. */
export async function awaitWriters(pool: pg.Pool, { channel, instrumentIds }: AsOf): Promise<void> {
  await pool.query({
    text: `select from channel where instrument_id = any($1::integer[]) and name = $2 order by instrument_id for share`,
    values: [instrumentIds, channel],
  })
}

/** The last sequence of each channel that was stored by a time (ns); 0 if none was. */
export async function listSequencesAt(
  pool: pg.Pool,
  { channel, instrumentIds, asOf }: AsOf,
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await pool.query<{ instrument_id: number; sequence: string }>({
    text: `select wanted.instrument_id, coalesce(mark.sequence, 0)::text as sequence
           from unnest($1::integer[]) as wanted (instrument_id)
           left join lateral (
             select sequence from ingest_mark m
             where m.instrument_id = wanted.instrument_id and m.channel = $2 and m.stored_at <= $3
             order by m.stored_at desc limit 1) as mark on true`,
    values: [instrumentIds, channel, asOf],
  })
  return new Map(rows.map((row) => [row.instrument_id, row.sequence]))
}

/** Keeps the last mark of each channel and hour before a time (ns). Returns how many were deleted. */
export async function deleteFineMarks(pool: pg.Pool, before: bigint): Promise<number> {
  const { rowCount } = await pool.query({
    text: `delete from ingest_mark m using (
             select instrument_id, channel, stored_at,
               row_number() over (partition by instrument_id, channel, (stored_at + $2::bigint - 1) / $2::bigint
                                  order by stored_at desc) as place
             from ingest_mark where stored_at < $1) as placed
           where place > 1 and placed.instrument_id = m.instrument_id and placed.channel = m.channel
             and placed.stored_at = m.stored_at`,
    values: [before, HOUR_NS],
  })
  return rowCount ?? 0
}

export const HOUR_NS = 3_600_000_000_000n
