import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Range } from './read-plan.ts'
import type { Level, RollUp } from './roll-up.ts'
import { encodeSketch } from './sketch.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** Longer sketches are written again with one entry per bucket: appending alone would let them grow for ever. */
export const SKETCH_BYTES_MAX = 1_500

/** Identity of a roll-up row whose sketch has grown long. */
export type LongSketch = {
  account_id: string
  bucket_at: Date
  key_id: string
  route: string
  status: number
  outcome: string
  latency: Buffer
}

export function rollUpTable(level: Level): RawBuilder<unknown> {
  return sql.table(`usage_${level}`)
}

/** An account's rows of a level, as `r`, in these ranges: `offset 0` keeps them one index scan each. */
export function rowsInRanges(accountId: string, level: Level, ranges: readonly Range[]): RawBuilder<unknown> {
  return sql`
    unnest(${ranges.map(({ fromMs }) => new Date(fromMs).toISOString())}::timestamptz[],
           ${ranges.map(({ toMs }) => new Date(toMs).toISOString())}::timestamptz[]) as range (from_at, to_at)
    cross join lateral (
      select * from ${rollUpTable(level)}
      where account_id = ${accountId}::uuid and bucket_at >= range.from_at and bucket_at < range.to_at
      offset 0
    ) r`
}

/** Adds to the rows of one level in one statement; gives back the rows whose sketch is to be compacted. */
export async function addRollUps(trx: Trx, level: Level, rollUps: readonly RollUp[]): Promise<LongSketch[]> {
  const column = <T>(value: (rollUp: RollUp) => T): T[] => rollUps.map(value)
  const { rows } = await sql<LongSketch>`
    with added as (
      insert into ${rollUpTable(level)} as r (
        account_id, bucket_at, key_id, route, status, outcome,
        requests, admitted, denied, refused, bytes_in, bytes_out, rows_returned,
        peak_burst, peak_min, peak_hour, peak_day, peak_month, peak_conc, latency, last_at)
      select * from unnest(
        ${column((one) => one.account_id)}::uuid[],
        ${column((one) => new Date(one.bucketMs).toISOString())}::timestamptz[],
        ${column((one) => one.key_id)}::text[],
        ${column((one) => one.route)}::text[],
        ${column((one) => one.status)}::smallint[],
        ${column((one) => one.outcome)}::text[],
        ${column((one) => one.requests)}::bigint[],
        ${column((one) => one.admitted)}::bigint[],
        ${column((one) => one.denied)}::bigint[],
        ${column((one) => one.refused)}::bigint[],
        ${column((one) => one.bytes_in)}::bigint[],
        ${column((one) => one.bytes_out)}::bigint[],
        ${column((one) => one.rows_returned)}::bigint[],
        ${column((one) => one.peaks.burst)}::bigint[],
        ${column((one) => one.peaks.min)}::bigint[],
        ${column((one) => one.peaks.hour)}::bigint[],
        ${column((one) => one.peaks.day)}::bigint[],
        ${column((one) => one.peaks.month)}::bigint[],
        ${column((one) => one.peaks.conc)}::bigint[],
        ${column((one) => encodeSketch(one.latency))}::bytea[],
        ${column((one) => new Date(one.lastMs).toISOString())}::timestamptz[])
      on conflict (account_id, bucket_at, key_id, route, status, outcome) do update set
        requests = r.requests + excluded.requests,
        admitted = r.admitted + excluded.admitted,
        denied = r.denied + excluded.denied,
        refused = r.refused + excluded.refused,
        bytes_in = r.bytes_in + excluded.bytes_in,
        bytes_out = r.bytes_out + excluded.bytes_out,
        rows_returned = r.rows_returned + excluded.rows_returned,
        peak_burst = greatest(r.peak_burst, excluded.peak_burst),
        peak_min = greatest(r.peak_min, excluded.peak_min),
        peak_hour = greatest(r.peak_hour, excluded.peak_hour),
        peak_day = greatest(r.peak_day, excluded.peak_day),
        peak_month = greatest(r.peak_month, excluded.peak_month),
        peak_conc = greatest(r.peak_conc, excluded.peak_conc),
        latency = r.latency || excluded.latency,
        last_at = greatest(r.last_at, excluded.last_at)
      returning account_id, bucket_at, key_id, route, status, outcome, latency
    )
    select * from added where octet_length(latency) > ${SKETCH_BYTES_MAX}`.execute(trx)
  return rows
}

/** The same sketch in fewer bytes; the transaction holds the row since it added to it. */
export async function replaceSketch(trx: Trx, level: Level, row: LongSketch, latency: Buffer): Promise<void> {
  await sql`
    update ${rollUpTable(level)} set latency = ${latency}
    where account_id = ${row.account_id} and bucket_at = ${row.bucket_at.toISOString()}
      and key_id = ${row.key_id} and route = ${row.route}
      and status = ${row.status} and outcome = ${row.outcome}`.execute(trx)
}
