import type pg from 'pg'
import type { ChannelName } from '../tables.ts'

export type AsOf = { channel: ChannelName; instrumentIds: readonly number[]; asOf: string }

/** Current time of PostgreSQL's clock in nanoseconds since 1970; marks use the same clock. */
export const CLOCK_NS = '(extract(epoch from clock_timestamp()) * 1000000)::bigint * 1000'

export async function readClock(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ now: string }>(`select ${CLOCK_NS} as now`)
  return BigInt(rows[0]?.now ?? 0)
}

/** A writer that restores or imports a day locks its channel for longer than requests wait for other locks. */
const WRITERS_TIMEOUT_MS = 5_000

/** Waits up to 5 seconds until writers that have locked one of the channels have committed or rolled back. */
export async function awaitWriters(pool: pg.Pool, { channel, instrumentIds }: AsOf): Promise<void> {
  // One message with several statements is one transaction, and takes no parameters.
  await pool.query(`
    set local lock_timeout = ${WRITERS_TIMEOUT_MS};
    set local statement_timeout = ${2 * WRITERS_TIMEOUT_MS};
    select from channel where instrument_id = any('{${instrumentIds.join(',')}}'::integer[]) and name = '${channel}'
    order by instrument_id for share`)
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

export type ChannelId = { instrumentId: number; channel: ChannelName }

export async function listChannels(pool: pg.Pool): Promise<ChannelId[]> {
  const { rows } = await pool.query<{ instrument_id: number; name: ChannelName }>(
    'select instrument_id, name from channel order by instrument_id, name',
  )
  return rows.map(({ instrument_id, name }) => ({ instrumentId: instrument_id, channel: name }))
}

const MARKS_PER_STATEMENT = 10_000

export type MarkRange = ChannelId & { from: string; before: bigint }
/** `next`: where the next batch begins; null after the last one. */
export type ThinnedMarks = { deleted: number; next: string | null }

/** Keeps the last mark of each hour among the next marks of a channel before a time (ns). */
export async function deleteFineMarks(
  client: pg.ClientBase,
  { instrumentId, channel, from, before }: MarkRange,
): Promise<ThinnedMarks> {
  const { rows } = await client.query<ThinnedMarks>({
    // By ctid, because the planner's join of a table without statistics may be quadratic.
    text: `with examined as (
             select ctid, stored_at, lead(stored_at) over (order by stored_at) as following
             from (select ctid, stored_at from ingest_mark
                   where instrument_id = $1 and channel = $2 and stored_at >= $3::bigint and stored_at < $4::bigint
                   order by stored_at limit ${MARKS_PER_STATEMENT}) as mark),
           deleted as (
             delete from ingest_mark where ctid = any(array(
               select ctid from examined
               where following <= (stored_at + $5::bigint - 1) / $5::bigint * $5::bigint))
             returning 1)
           select (select count(*) from deleted)::int as deleted,
             (select max(stored_at) from examined having count(*) = ${MARKS_PER_STATEMENT}) as next`,
    values: [instrumentId, channel, from, before, HOUR_NS],
  })
  return rows[0] ?? { deleted: 0, next: null }
}

export const HOUR_NS = 3_600_000_000_000n
