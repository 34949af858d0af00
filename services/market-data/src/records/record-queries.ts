import type pg from 'pg'
import { L2_TYPE_LETTERS, SIDE_LETTERS } from '../store/copy-queries.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import type { DecimalRange, Order } from './filter.ts'
import { placesOf, type Scan } from './scan.ts'

/** One row; every column is the text that PostgreSQL sent, null is empty text. */
export type Row = readonly string[]
/** `frontier`: the last examined place of a filtered read that stopped before it had found enough. */
export type Scanned = { rows: Row[]; frontier: Key | undefined }

export const COLUMNS: Record<ChannelName, string> = {
  trade: `instrument_id, sequence, ts_event, ts_recv, flags, side, side_source, has_trade_id, price, size, source_id,
    conditions`,
  l2_event: `instrument_id, sequence, ts_event, ts_recv, flags, type, book_epoch, bids, asks, depth_limit, source_id,
    venue_first_id, venue_last_id, venue_prev_id, gap_reason, gap_from_ts`,
}
/** No parsing: integers and decimals must stay exact text, and all other columns are text in the response too. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }

export type RowLimits = {
  limit: number
  /** Rows per instrument that are examined if a filter rejects some of them. */
  scanMax: number
}

/** The next rows in the order (ts_event, instrument_id, sequence): one index range per instrument, however deep. */
export async function listRows(pool: pg.Pool, scan: Scan, { limit, scanMax }: RowLimits): Promise<Scanned> {
  const { channel, filter, instrumentIds } = scan
  const { edges, bound, sequences } = placesOf(scan)
  const edge = scan.floors === undefined ? edges[0] : edges.toSorted(compareNanoseconds)[0]
  const conditions = conditionsOf(scan)
  const direction = filter.order
  if (conditions.sql.length > 0) {
    const values = [edge, bound, limit, sequences, instrumentIds, scanMax, edges, ...conditions.values]
    return withFrontier(await rowsOf(pool, matchingSql(channel, direction, conditions.sql), values))
  }
  const [only] = instrumentIds
  const rows =
    instrumentIds.length === 1
      ? await rowsOf(pool, instrumentSql(channel, direction), [edge, bound, limit, sequences[0], only])
      : await rowsOf(pool, mergedSql(channel, direction), [edge, bound, limit, sequences, instrumentIds, edges])
  return { rows, frontier: undefined }
}

export async function rowsOf(pool: pg.Pool, text: string, values: unknown[]): Promise<string[][]> {
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
  return scanSql(channel, direction, {
    instrument: '$5::integer',
    edge: '$1::bigint',
    sequence: '$4::bigint',
    limit: '$3',
  })
}

/**
 * A merge of per-instrument reads: `$5` are the instruments, `$6` and `$4` the time and sequence after which each
 * continues.
 */
function mergedSql(channel: ChannelName, direction: Order): string {
  return `select r.* from ${placesSql(channel, direction, { limit: '$3', edges: '$6' })} order by ${totalOrder(direction)} limit $3`
}

/** Examines a bounded number of rows; the first three columns are the last examined place, unless that was the end. */
function matchingSql(channel: ChannelName, direction: Order, conditions: string): string {
  const [furthest, inside] = direction === 'asc' ? ['max', '<='] : ['min', '>=']
  return `
    with scanned as materialized (select r.* from ${placesSql(channel, direction, { limit: '$6', edges: '$7' })}),
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

type PlaceTerms = { limit: string; edges: string }

function placesSql(channel: ChannelName, direction: Order, { limit, edges }: PlaceTerms): string {
  const terms = { instrument: 'place.id', edge: 'place.edge', sequence: 'place.sequence_at_edge', limit }
  const scan = scanSql(channel, direction, terms)
  return `unnest($5::integer[], $4::bigint[], ${edges}::bigint[]) as place(id, sequence_at_edge, edge)
    cross join lateral (${scan}) as r`
}

type ScanTerms = { instrument: string; edge: string; sequence: string; limit: string }

/**
 * The comparison of pairs finds the place in the index, the plain ones (`$1` is the first edge) let the planner skip
 * other days.
 */
function scanSql(channel: ChannelName, direction: Order, { instrument, edge, sequence, limit }: ScanTerms): string {
  const range =
    direction === 'asc'
      ? `(ts_event, sequence) > (${edge}, ${sequence}) and ts_event >= $1::bigint and ts_event < $2::bigint`
      : `(ts_event, sequence) < (${edge}, ${sequence}) and ts_event <= $1::bigint and ts_event >= $2::bigint`
  return `select ${COLUMNS[channel]} from ${channel} where instrument_id = ${instrument} and ${range}
    order by ts_event ${direction}, sequence ${direction} limit ${limit}`
}

function totalOrder(direction: Order): string {
  return `ts_event ${direction}, instrument_id ${direction}, sequence ${direction}`
}

type Conditions = { sql: string; values: unknown[] }

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const FIRST_CONDITION = 8

/** Conditions of a scan on a row, except its place in the order. */
function conditionsOf({ instrumentIds, filter: { side, price, size, types }, received, through }: Scan): Conditions {
  const terms: Term[] = [
    ...term('side = ?::"char"', side && SIDE_LETTERS[side]),
    ...rangeTerms('price', price),
    ...rangeTerms('size', size),
    ...term(
      'type = any(?::"char"[])',
      types?.map((type) => L2_TYPE_LETTERS[type]),
    ),
    ...term('ts_recv >= ?::bigint', received?.start),
    ...term('ts_recv < ?::bigint', received?.end),
    ...term(
      'sequence <= (?::bigint[])[array_position($5::integer[], instrument_id)]',
      through && instrumentIds.map((id) => through.get(id) ?? '0'),
    ),
  ]
  return {
    sql: terms.map(([sql], index) => sql.replace('?', `$${FIRST_CONDITION + index}`)).join(' and '),
    values: terms.map(([, value]) => value),
  }
}

type Term = [sql: string, value: unknown]

function term(sql: string, value: unknown): Term[] {
  return value === undefined ? [] : [[sql, value]]
}

function rangeTerms(column: 'price' | 'size', range: DecimalRange = {}): Term[] {
  const { gt, gte, lt, lte } = range
  return Object.entries({ gt, gte, lt, lte }).flatMap(([name, value]) =>
    term(`${column} ${OPERATORS[name as keyof typeof OPERATORS]} ?::numeric`, value),
  )
}

export type CountedRange = { channel: ChannelName; instrumentIds: readonly number[]; start: bigint; end: bigint }

/** Number of rows in a half-open time range (ns); counting stops at `most`. */
export async function countRows(pool: pg.Pool, range: CountedRange, most: number): Promise<number> {
  const { channel, instrumentIds, start, end } = range
  const { rows } = await pool.query<{ count: string }>({
    text: `select count(*) as count from (
             select from ${channel}
             where instrument_id = any($1::integer[]) and ts_event >= $2::bigint and ts_event < $3::bigint
             limit $4) as counted`,
    values: [instrumentIds, start, end, most],
  })
  return Number(rows[0]?.count)
}
