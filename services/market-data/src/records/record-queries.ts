import type pg from 'pg'
import { L2_TYPE_LETTERS, SIDE_LETTERS } from '../store/copy-queries.ts'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import type { DecimalRange, Filter, Order } from './filter.ts'
import { placesOf, type Scan } from './scan.ts'

/** One row, all columns as the text that PostgreSQL sent; nothing (null) is empty text. */
export type Row = readonly string[]
/** `frontier`: as far as a filtered read looked when it stopped before it had found enough. */
export type Scanned = { rows: Row[]; frontier: Key | undefined }

const GAPS_MAX = 100

const COLUMNS: Record<ChannelName, string> = {
  trade: `instrument_id, sequence, ts_event, ts_recv, flags, side, side_source, has_trade_id, price, size, source_id,
    conditions`,
  l2_event: `instrument_id, sequence, ts_event, ts_recv, flags, type, book_epoch, bids, asks, depth_limit, source_id,
    venue_first_id, venue_last_id, venue_prev_id, gap_reason, gap_from_ts`,
}
/** No parsing: digits and decimals must stay text, and the rest is text in the answer too. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }

export type RowLimits = {
  limit: number
  /** Rows per instrument that are looked at when a filter drops some of them. */
  lookAt: number
}

/** The next rows in the order (ts_event, instrument_id, sequence): one index range per instrument, however deep. */
export async function listRows(pool: pg.Pool, scan: Scan, { limit, lookAt }: RowLimits): Promise<Scanned> {
  const { channel, filter, instrumentIds } = scan
  const { edge, bound, sequences } = placesOf(scan)
  const conditions = conditionsOf(filter)
  const direction = filter.order
  if (conditions.sql.length > 0) {
    const values = [edge, bound, limit, sequences, instrumentIds, lookAt, ...conditions.values]
    return withFrontier(await rowsOf(pool, matchingSql(channel, direction, conditions.sql), values))
  }
  const [only] = instrumentIds
  const rows =
    instrumentIds.length === 1
      ? await rowsOf(pool, instrumentSql(channel, direction), [edge, bound, limit, sequences[0], only])
      : await rowsOf(pool, mergedSql(channel, direction), [edge, bound, limit, sequences, instrumentIds])
  return { rows, frontier: undefined }
}

async function rowsOf(pool: pg.Pool, text: string, values: unknown[]): Promise<string[][]> {
  const { rows } = await pool.query<(string | null)[]>({ text, values, rowMode: 'array', types: AS_TEXT })
  return rows.map((row) => row.map((column) => column ?? ''))
}

function withFrontier(rows: string[][]): Scanned {
  const [tsEvent, instrumentId, sequence] = rows[0] ?? []
  const frontier =
    tsEvent && instrumentId && sequence ? { tsEvent, instrumentId: Number(instrumentId), sequence } : undefined
  return { rows: rows.map((row) => row.slice(3)).filter(([id]) => id !== ''), frontier }
}

function instrumentSql(channel: ChannelName, direction: Order): string {
  return scanSql(channel, direction, { instrument: '$5::integer', sequence: '$4::bigint', limit: '$3' })
}

/** A merge of per-instrument reads: `$5` are the instruments, `$4` the sequence at which each goes on in a tie. */
function mergedSql(channel: ChannelName, direction: Order): string {
  return `select r.* from ${placesSql(channel, direction, '$3')} order by ${totalOrder(direction)} limit $3`
}

/** Looks at a bounded number of rows; the first three columns say how far that was, if it was not the end. */
function matchingSql(channel: ChannelName, direction: Order, conditions: string): string {
  const [furthest, inside] = direction === 'asc' ? ['max', '<='] : ['min', '>=']
  return `
    with scanned as materialized (select r.* from ${placesSql(channel, direction, '$6')}),
    frontier as (
      select reached[1] as ts_event, instrument_id, reached[2] as sequence
      from (select instrument_id, ${furthest}(array[ts_event, sequence]) as reached, count(*) as looked_at
            from scanned group by instrument_id) as ends
      where looked_at = $6::bigint order by ${totalOrder(direction)} limit 1)
    select frontier.ts_event, frontier.instrument_id, frontier.sequence, found.*
    from (select) as one left join frontier on true
    left join lateral (
      select * from scanned s
      where ${conditions} and (frontier.ts_event is null or (s.ts_event, s.instrument_id, s.sequence)
        ${inside} (frontier.ts_event, frontier.instrument_id, frontier.sequence))
      order by ${totalOrder(direction)} limit $3) as found on true`
}

function placesSql(channel: ChannelName, direction: Order, limit: string): string {
  const scan = scanSql(channel, direction, { instrument: 'place.id', sequence: 'place.sequence_at_edge', limit })
  return `unnest($5::integer[], $4::bigint[]) as place(id, sequence_at_edge) cross join lateral (${scan}) as r`
}

type ScanTerms = { instrument: string; sequence: string; limit: string }

/** The comparison of pairs finds the place in the index, the plain ones let the planner skip other days. */
function scanSql(channel: ChannelName, direction: Order, { instrument, sequence, limit }: ScanTerms): string {
  const range =
    direction === 'asc'
      ? `(ts_event, sequence) > ($1::bigint, ${sequence}) and ts_event >= $1::bigint and ts_event < $2::bigint`
      : `(ts_event, sequence) < ($1::bigint, ${sequence}) and ts_event <= $1::bigint and ts_event >= $2::bigint`
  return `select ${COLUMNS[channel]} from ${channel} where instrument_id = ${instrument} and ${range}
    order by ts_event ${direction}, sequence ${direction} limit ${limit}`
}

function totalOrder(direction: Order): string {
  return `ts_event ${direction}, instrument_id ${direction}, sequence ${direction}`
}

type Conditions = { sql: string; values: unknown[] }

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const FIRST_CONDITION = 7

/** What a filter asks of a row beside its place in the order. */
function conditionsOf({ side, price, size, types }: Filter): Conditions {
  const terms: [string, unknown][] = [
    ...(side === undefined ? [] : [['side = ?::"char"', SIDE_LETTERS[side]] satisfies [string, unknown]]),
    ...rangeTerms('price', price),
    ...rangeTerms('size', size),
    ...(types === undefined
      ? []
      : [['type = any(?::"char"[])', types.map((type) => L2_TYPE_LETTERS[type])] satisfies [string, unknown]]),
  ]
  return {
    sql: terms.map(([sql], index) => sql.replace('?', `$${FIRST_CONDITION + index}`)).join(' and '),
    values: terms.map(([, value]) => value),
  }
}

function rangeTerms(column: 'price' | 'size', range: DecimalRange = {}): [string, unknown][] {
  const { gt, gte, lt, lte } = range
  return Object.entries({ gt, gte, lt, lte }).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${column} ${OPERATORS[name as keyof typeof OPERATORS]} ?::numeric`, value]],
  )
}

export type Gap = { instrumentId: number; fromTs: string | null; toTs: string; reason: string | null }

/** The gaps of these books that touch a range, oldest first. */
export async function listGaps(
  pool: pg.Pool,
  instrumentIds: number[],
  range: { start: string; end: string },
): Promise<Gap[]> {
  const { rows } = await pool.query<{
    instrument_id: number
    gap_from_ts: string | null
    ts_event: string
    gap_reason: string | null
  }>({
    text: `
      select instrument_id, sequence, gap_from_ts, ts_event, gap_reason from l2_event
      where instrument_id = any($1::integer[]) and type = 'g' and ts_event >= $2::bigint and ts_event < $3::bigint
      union
      select instrument_id, sequence, gap_from_ts, ts_event, gap_reason from sealed_gap
      where instrument_id = any($1::integer[]) and ts_event >= $2::bigint and ts_event < $3::bigint
      order by ts_event, instrument_id limit ${GAPS_MAX}`,
    values: [instrumentIds, range.start, range.end],
  })
  return rows.map((row) => ({
    instrumentId: row.instrument_id,
    fromTs: row.gap_from_ts,
    toTs: row.ts_event,
    reason: row.gap_reason,
  }))
}
