import type pg from 'pg'
import type { Order } from '../records/filter.ts'
import type { Day } from './bar-clock.ts'
import type { BarTotals } from './bar-totals.ts'
import { exactOf, textOf } from './exact.ts'
import type { InstrumentBar } from './time-bar-range.ts'

export const MINUTE_NS = 60_000_000_000n

/**
 * Adds trades to their one-minute bars, as part of the statement that stores them: `source` has ts_event, sequence,
 * price and size of the new rows, all of instrument $1. Open and close are the first and last by (ts_event, sequence).
 */
export function insertMinuteBarsSql(source: string): string {
  return `
    insert into bar_1m (instrument_id, minute, first_ts, first_sequence, last_ts, last_sequence, count,
                        open, high, low, close, volume, notional)
    select $1, minute, first[1], first[2], last[1], last[2], count, open, high, low, close, volume, notional
    from (select ts_event - ts_event % ${MINUTE_NS} as minute, min(array[ts_event, sequence]) as first,
                 max(array[ts_event, sequence]) as last, count(*)::int as count,
                 (array_agg(price order by ts_event, sequence))[1] as open, max(price) as high, min(price) as low,
                 (array_agg(price order by ts_event desc, sequence desc))[1] as close, sum(size) as volume,
                 sum(price * size) as notional
          from ${source} group by 1) as added
    ${MERGE_MINUTE}`
}

const MERGE_MINUTE = `
    on conflict (instrument_id, minute) do update set
      open = case when (excluded.first_ts, excluded.first_sequence) < (bar_1m.first_ts, bar_1m.first_sequence)
        then excluded.open else bar_1m.open end,
      close = case when (excluded.last_ts, excluded.last_sequence) > (bar_1m.last_ts, bar_1m.last_sequence)
        then excluded.close else bar_1m.close end,
      first_sequence = case when (excluded.first_ts, excluded.first_sequence) < (bar_1m.first_ts, bar_1m.first_sequence)
        then excluded.first_sequence else bar_1m.first_sequence end,
      last_sequence = case when (excluded.last_ts, excluded.last_sequence) > (bar_1m.last_ts, bar_1m.last_sequence)
        then excluded.last_sequence else bar_1m.last_sequence end,
      first_ts = least(bar_1m.first_ts, excluded.first_ts), last_ts = greatest(bar_1m.last_ts, excluded.last_ts),
      high = greatest(bar_1m.high, excluded.high), low = least(bar_1m.low, excluded.low),
      volume = bar_1m.volume + excluded.volume, notional = bar_1m.notional + excluded.notional,
      count = bar_1m.count + excluded.count`

/** Adds bars whose trades the stored bars do not include yet. */
export async function addMinuteBars(client: pg.ClientBase, bars: readonly InstrumentBar[]): Promise<void> {
  const column = (value: (bar: InstrumentBar) => string | number | bigint) => bars.map((bar) => String(value(bar)))
  await client.query({
    text: `
      insert into bar_1m (instrument_id, minute, first_ts, first_sequence, last_ts, last_sequence, count,
                          open, high, low, close, volume, notional)
      select * from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::int[],
        $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[])
      ${MERGE_MINUTE}`,
    values: [
      column(({ instrumentId }) => instrumentId),
      column(({ start }) => start),
      column(({ totals }) => totals.first.tsEvent),
      column(({ totals }) => totals.first.sequence),
      column(({ totals }) => totals.last.tsEvent),
      column(({ totals }) => totals.last.sequence),
      column(({ totals }) => totals.count),
      column(({ totals }) => totals.open),
      column(({ totals }) => totals.high),
      column(({ totals }) => totals.low),
      column(({ totals }) => totals.close),
      column(({ totals }) => textOf(totals.volume)),
      column(({ totals }) => textOf(totals.notional)),
    ],
  })
}

/** Adds the trades of a range in PostgreSQL whose sequences come after those that the stored bars include. */
export async function addMinutesAfter(
  client: pg.ClientBase,
  { instrumentId, start, end, after }: { instrumentId: number; start: bigint; end: bigint; after: string },
): Promise<void> {
  await client.query({
    text: insertMinuteBarsSql(`(
      select ts_event, sequence, price, size from trade
      where instrument_id = $1 and ts_event >= $2::bigint and ts_event < $3::bigint and sequence > $4::bigint) as arrived`),
    values: [instrumentId, start, end, after],
  })
}

export type MinuteRange = { instrumentIds: number[]; order: Order; from: bigint; until: bigint }

/** The first stored minute of a range in its order. */
export async function findMinute(pool: pg.Pool, range: MinuteRange): Promise<bigint | undefined> {
  const { instrumentIds, order, from, until } = range
  const { rows } = await pool.query<{ minute: string }>({
    text: `
      select found.minute from unnest($1::int[]) as wanted(id) cross join lateral (
        select minute from bar_1m where instrument_id = wanted.id and minute >= $2::bigint and minute < $3::bigint
        order by minute ${order} limit 1) as found
      order by found.minute ${order} limit 1`,
    values: [instrumentIds, from, until],
  })
  const [row] = rows
  return row && BigInt(row.minute)
}

/** Stored minutes of days, summed to bars of `stepNs` that begin with each day. */
export async function listMinuteBars(
  pool: pg.Pool,
  { instrumentIds, order, from, until }: MinuteRange,
  { days, stepNs }: { days: Day[]; stepNs: bigint },
): Promise<Omit<InstrumentBar, 'end'>[]> {
  const { rows } = await pool.query<MinuteRow>({
    text: `
      select instrument_id, start, (array_agg(array[first_ts, first_sequence] order by minute))[1:1] as first,
             (array_agg(array[last_ts, last_sequence] order by minute desc))[1:1] as last, sum(count)::int as count,
             (array_agg(open order by minute))[1]::text as open, max(high)::text as high, min(low)::text as low,
             (array_agg(close order by minute desc))[1]::text as close, trim_scale(sum(volume))::text as volume,
             trim_scale(sum(notional))::text as notional
      from (select bar_1m.*, day.first + least((minute - day.first) / $4::bigint, day.bars - 1) * $4::bigint as start
            from unnest($1::bigint[], $2::bigint[], $7::bigint[]) as day(first, last, bars)
            join bar_1m on instrument_id = any($3::int[]) and minute >= greatest(day.first, $5::bigint)
              and minute < least(day.last, $6::bigint)) as kept
      group by instrument_id, start order by start ${order}, instrument_id ${order}`,
    values: [
      days.map(({ start }) => start),
      days.map(({ end }) => end),
      instrumentIds,
      stepNs,
      from,
      until,
      days.map(({ bars }) => bars),
    ],
  })
  return rows.map((row) => ({
    instrumentId: row.instrument_id,
    start: BigInt(row.start),
    totals: totalsOfRow(row),
  }))
}

type Pair = readonly (readonly [string, string])[]
type MinuteRow = {
  instrument_id: number
  start: string
  first: Pair
  last: Pair
  count: number
  open: string
  high: string
  low: string
  close: string
  volume: string
  notional: string
}

function totalsOfRow({ first, last, open, high, low, close, volume, notional, count }: MinuteRow): BarTotals {
  return {
    first: placeOf(first),
    last: placeOf(last),
    open,
    high,
    low,
    close,
    count,
    volume: exactOf(volume),
    notional: exactOf(notional),
  }
}

function placeOf([place]: Pair): BarTotals['first'] {
  const [tsEvent, sequence] = place ?? ['0', '0']
  return { tsEvent, sequence }
}

/** The bars of dropped days are deleted together with their trades. */
export async function deleteMinuteBars(
  client: pg.ClientBase,
  instrumentIds: number[],
  retainedFrom: bigint,
): Promise<void> {
  await client.query({
    text: 'delete from bar_1m where instrument_id = any($1::int[]) and minute < $2::bigint',
    values: [instrumentIds, retainedFrom],
  })
}
