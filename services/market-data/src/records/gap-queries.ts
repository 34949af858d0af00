import type pg from 'pg'
import type { Order } from './filter.ts'

/** Gaps in the coverage of one page. */
export const GAPS_MAX = 100

/** Data is missing between the two times, ns. */
export type Gap = { instrumentId: number; fromTs: string | null; toTs: string; reason: string | null }

/** Event times, half open, ns. */
export type Span = { start: string; end: string }
export type GapRange = Span & { order: Order; through?: ReadonlyMap<number, string> | undefined }

/** Gap events and the snapshots with which gaps end, also those of days that are no longer in the table. */
const GAP_EVENTS = `
  select instrument_id, sequence, gap_from_ts, ts_event, gap_reason, false as is_end from l2_event where type = 'g'
  union all
  select instrument_id, sequence, gap_from_ts, ts_event, gap_reason, true from l2_event
  where type = 's' and gap_from_ts is not null
  union all
  select instrument_id, sequence, gap_from_ts, ts_event, gap_reason, is_end from sealed_gap`

/**
 * `gap`: the gaps of the books in $1 up to the sequences in $4, each once. A gap event is stored when the fault is
 * detected; the snapshot after it has the same start and replaces it.
 */
const GAPS = `
  book as not materialized (
    select * from unnest($1::integer[], coalesce($4::bigint[], array[]::bigint[])) as book (id, through)),
  event as not materialized (
    select event.* from book join (${GAP_EVENTS}) as event on event.instrument_id = book.id
    where book.through is null or event.sequence <= book.through),
  gap as not materialized (
    select * from event where is_end or not exists (
      select from event as later
      where later.is_end and later.instrument_id = event.instrument_id and later.gap_from_ts = event.gap_from_ts
        and later.ts_event >= event.ts_event and later.sequence > event.sequence))`

/**
 * The gaps of these books that touch a span: each begins at the last event before it and ends with the next snapshot, or
 * where it was detected if no snapshot followed. At most one more per book than `GAPS_MAX`.
 */
export async function listGaps(
  pool: pg.Pool,
  instrumentIds: number[],
  { start, end, order, through }: GapRange,
): Promise<Gap[]> {
  const { rows } = await pool.query<{
    instrument_id: number
    gap_from_ts: string | null
    ts_event: string
    gap_reason: string | null
  }>({
    text: `
      with ${GAPS}
      (select distinct gap.* from gap where ts_event >= $2::bigint and ts_event < $3::bigint
       order by ts_event ${order}, instrument_id ${order} limit ${GAPS_MAX + 1})
      union all
      select next.* from book, lateral (
        select * from gap where instrument_id = book.id and ts_event >= $3::bigint
        order by ts_event, sequence limit 1) as next
      where gap_from_ts < $3::bigint - 1
      order by ts_event ${order}, instrument_id ${order}`,
    values: [instrumentIds, start, end, through && instrumentIds.map((id) => through.get(id) ?? '0')],
  })
  return rows.map((row) => ({
    instrumentId: row.instrument_id,
    fromTs: row.gap_from_ts,
    toTs: row.ts_event,
    reason: row.gap_reason,
  }))
}

export type TradeGapRange = Span & { order: Order; asOf: string | undefined }

/**
 * Missing trades that touch a span, or those that were known to be missing at a time (ns); at most one more than
 * `GAPS_MAX`.
 */
export async function listTradeGaps(
  pool: pg.Pool,
  instrumentIds: number[],
  { start, end, order, asOf }: TradeGapRange,
): Promise<Gap[]> {
  const { rows } = await pool.query<{ instrument_id: number; from_ts: string; to_ts: string }>({
    text: `
      select instrument_id, from_ts, to_ts from trade_gap
      where instrument_id = any($1::integer[]) and to_ts >= $2::bigint and from_ts < $3::bigint
        and ($4::bigint is null and filled_at is null or
             extract(epoch from noticed_at) * 1e9 <= $4::bigint and
             (filled_at is null or extract(epoch from filled_at) * 1e9 > $4::bigint))
      order by to_ts ${order}, instrument_id ${order}, from_id ${order} limit ${GAPS_MAX + 1}`,
    values: [instrumentIds, start, end, asOf],
  })
  return rows.map(({ instrument_id, from_ts, to_ts }) => {
    return { instrumentId: instrument_id, fromTs: from_ts, toTs: to_ts, reason: 'trade_ids_missing' }
  })
}
