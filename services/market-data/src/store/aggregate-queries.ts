import type pg from 'pg'

/** Trade ids of the venue, both ends included. */
export type IdRange = { firstId: number; lastId: number }

/** The ids `first` and `last` of the venue's trades that the row `t` contains; null if it has none. */
export const ID_RANGE = `
  lateral (select case when t.source_id ~ '^[0-9]{1,18}$' then array[t.source_id, t.source_id]
                  else regexp_match(t.conditions, '^aggregate:([0-9]{1,18})-([0-9]{1,18})$') end as ids) as stored,
  lateral (select ids[1]::bigint as first, ids[2]::bigint as last) as id_range`

/** An aggregate may have another time than its fills, and a trade over REST another one than in the stream. */
const APART_NS = 1_000_000_000

/** The aggregates in PostgreSQL around the times between `from` and `to` (ns). */
export async function listAggregates(
  client: Pick<pg.ClientBase, 'query'>,
  instrumentId: number,
  { from, to }: { from: string; to: string },
): Promise<IdRange[]> {
  const { rows } = await client.query<{ first: string; last: string }>({
    text: `select first, last from trade t, ${ID_RANGE}
           where instrument_id = $1 and ts_event between $2::bigint - $4::bigint and $3::bigint + $4::bigint
             and not has_trade_id and conditions like 'aggregate:%' and first is not null`,
    values: [instrumentId, from, to, APART_NS],
  })
  return rows.map(({ first, last }) => ({ firstId: Number(first), lastId: Number(last) }))
}

/** Those of the trade ids that PostgreSQL has around the times between `from` and `to` (ns). */
export async function listStoredIds(
  client: Pick<pg.ClientBase, 'query'>,
  instrumentId: number,
  { from, to, ids }: { from: string; to: string; ids: readonly string[] },
): Promise<string[]> {
  const { rows } = await client.query<{ source_id: string }>({
    text: `select source_id from trade
           where instrument_id = $1 and ts_event between $2::bigint - $4::bigint and $3::bigint + $4::bigint
             and has_trade_id and source_id = any($5::text[])`,
    values: [instrumentId, from, to, APART_NS, ids],
  })
  return rows.map((row) => row.source_id)
}
