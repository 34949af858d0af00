import type pg from 'pg'
import { ID_RANGE } from './aggregate-queries.ts'
import type { TradeGap } from './record.ts'

/** Records missing trades; a gap that is already recorded is not changed, even if it was filled in the meantime. */
export async function insertTradeGaps(
  client: Pick<pg.ClientBase, 'query'>,
  instrumentId: number,
  gaps: readonly TradeGap[],
): Promise<void> {
  if (gaps.length === 0) return
  await client.query({
    text: `insert into trade_gap (instrument_id, from_id, to_id, missing, from_ts, to_ts)
           select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
           on conflict (instrument_id, from_id, to_id) do nothing`,
    values: [
      instrumentId,
      gaps.map(({ fromId }) => fromId),
      gaps.map(({ toId }) => toId),
      gaps.map(({ missing }) => missing),
      gaps.map(({ fromTs }) => fromTs),
      gaps.map(({ toTs }) => toTs),
    ],
  })
}

/** All trades of a range of ids, both ends included, are stored now. What a gap lacks beyond them becomes a gap of its own. */
export async function fillTradeGaps(
  pool: pg.Pool,
  instrumentId: number,
  { fromId, toId, fromTs, toTs }: Omit<TradeGap, 'missing'>,
): Promise<void> {
  await pool.query({
    text: `
      with filled as (
        update trade_gap set filled_at = now()
        where instrument_id = $1 and from_id <= $3::bigint and to_id >= $2::bigint and filled_at is null
        returning from_id, to_id, from_ts, to_ts),
      missing as (
        select from_id, $2::bigint - 1 as to_id, from_ts, least(to_ts, greatest(from_ts, $4::bigint)) as to_ts
        from filled where from_id < $2::bigint
        union all
        select $3::bigint + 1, to_id, greatest(from_ts, least(to_ts, $5::bigint)), to_ts
        from filled where to_id > $3::bigint)
      insert into trade_gap (instrument_id, from_id, to_id, missing, from_ts, to_ts)
      select $1, from_id, to_id, to_id - from_id + 1, from_ts, to_ts from missing
      on conflict (instrument_id, from_id, to_id) do nothing`,
    values: [instrumentId, fromId, toId, fromTs, toTs],
  })
}

/**
 * Closes the gaps between two times (ns) whose trades are all in PostgreSQL now, or all but those of a narrower gap: the
 * venue no longer provides these.
 */
export async function closeFilledGaps(
  client: Pick<pg.ClientBase, 'query'>,
  instrumentId: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await client.query({
    text: `update trade_gap g set filled_at = now()
           where instrument_id = $1 and to_ts >= $2::bigint and from_ts <= $3::bigint and filled_at is null
             and exists (
               select from (
                 select 1::bigint as from_id, 0::bigint as to_id
                 union all
                 select n.from_id, n.to_id from trade_gap n
                 where n.instrument_id = $1 and n.filled_at is null and n.from_id >= g.from_id and n.to_id <= g.to_id
                   and (n.from_id, n.to_id) <> (g.from_id, g.to_id)) as rest
               where ${sizeOf('g')} - ${sizeOf('rest')} = (
                 select coalesce(sum(${overlapWith('g')} - ${overlapWith('rest')}), 0) from trade t, ${ID_RANGE}
                 where t.instrument_id = $1 and t.ts_event between g.from_ts and g.to_ts and first is not null))`,
    values: [instrumentId, from, to],
  })
}

function sizeOf(gap: string): string {
  return `(${gap}.to_id - ${gap}.from_id + 1)`
}

/** How many of a trade's ids are in a gap. */
function overlapWith(gap: string): string {
  return `greatest(0, least(last, ${gap}.to_id) - greatest(first, ${gap}.from_id) + 1)`
}
