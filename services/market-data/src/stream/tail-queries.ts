import type pg from 'pg'
import { COLUMNS, type Row, rowsOf } from '../records/record-queries.ts'
import type { ChannelName } from '../tables.ts'

export type ChannelId = { channel: ChannelName; instrumentId: number }

/** The last stored sequence per channel, in the requested order; 0 for a channel without records. */
export async function listLastSequences(pool: pg.Pool, ids: readonly ChannelId[]): Promise<number[]> {
  const { rows } = await pool.query<{ last_sequence: string | null }>({
    text: `select c.last_sequence from unnest($1::integer[], $2::text[]) with ordinality as wanted(id, name, position)
           left join channel c on c.instrument_id = wanted.id and c.name = wanted.name order by position`,
    values: [ids.map(({ instrumentId }) => instrumentId), ids.map(({ channel }) => channel)],
  })
  return rows.map(({ last_sequence }) => Number(last_sequence ?? 0))
}

export type SequenceRange = ChannelId & {
  /** Exclusive. */
  after: number
  /** Inclusive. */
  through: number
  /** Times (ns), inclusive: there is no index on the sequence alone. */
  from: string
  to: string
  limit: number
}

/** Rows by sequence, in the order of time, as far as PostgreSQL has them. */
export async function listRowsBySequence(pool: pg.Pool, range: SequenceRange): Promise<Row[]> {
  const { channel, instrumentId, after, through, from, to, limit } = range
  return rowsOf(
    pool,
    `select ${COLUMNS[channel]} from ${channel}
     where instrument_id = $1::integer and ts_event >= $2::bigint and ts_event <= $3::bigint
       and sequence > $4::bigint and sequence <= $5::bigint
     order by ts_event, sequence limit $6`,
    [instrumentId, from, to, after, through, limit],
  )
}
