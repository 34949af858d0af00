import { type RawBuilder, sql, type Transaction } from 'kysely'
import { bigintArray, bytesArray, instantArray, smallintArray, textArray, uuidArray } from './binary-array.ts'
import type { Range } from './read-plan.ts'
import { floorTo, levelOf, type RollUp, type Stored } from './roll-up.ts'
import { encodeSketch } from './sketch.ts'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>

/** Longer sketches are rewritten with one entry per bucket; appending alone would grow them without bound. */
export const SKETCH_BYTES_MAX = 1_500

/** Identity of a roll-up row with a long sketch. */
export type LongSketch = {
  level: Stored
  account_id: string
  bucket_at: Date
  key_id: string
  route: string
  status: number
  outcome: string
  latency: Buffer
}

export function rollUpTable(level: Stored): RawBuilder<unknown> {
  return sql.table(`usage_${level}`)
}

/**
 * An account's rows of a level, as `r`, in these ranges. `offset 0` keeps them one index scan each, and the overall
 * bounds let the planner skip all other partitions.
 */
export function rowsInRanges(accountId: string, level: Stored, ranges: readonly Range[]): RawBuilder<unknown> {
  const [from, to] = [Math.min(...ranges.map(({ fromMs }) => fromMs)), Math.max(...ranges.map(({ toMs }) => toMs))]
  return sql`
    unnest(${ranges.map(({ fromMs }) => new Date(fromMs).toISOString())}::timestamptz[],
           ${ranges.map(({ toMs }) => new Date(toMs).toISOString())}::timestamptz[]) as range (from_at, to_at)
    cross join lateral (
      select * from ${rollUpTable(level)}
      where account_id = ${accountId}::uuid and bucket_at >= range.from_at and bucket_at < range.to_at
        and bucket_at >= ${new Date(from).toISOString()}::timestamptz and bucket_at < ${new Date(to).toISOString()}::timestamptz
      offset 0
    ) r`
}

export type LevelSums = { level: Stored; rollUps: readonly RollUp[] }

/** Adds to the rows of all levels in one statement and returns the rows whose sketch should be compacted. */
export async function addRollUps(trx: Trx, levels: readonly LevelSums[]): Promise<LongSketch[]> {
  const lists = new Set(levels.map(({ rollUps }) => rollUps))
  const columns = new Map([...lists].map((rollUps) => [rollUps, columnsOf(rollUps)]))
  const added = levels.map((one) => {
    const insertion = addToLevel(one, columns.get(one.rollUps) ?? columnsOf(one.rollUps))
    return sql`${sql.ref(one.level)} as (${insertion})`
  })
  const long = levels.map(
    ({ level }) => sql`
      select ${sql.lit(level)} as level, * from ${sql.ref(level)} where octet_length(latency) > ${sql.lit(SKETCH_BYTES_MAX)}`,
  )
  const { rows } = await sql<LongSketch>`with ${sql.join(added)} ${sql.join(long, sql` union all `)}`.execute(trx)
  return rows
}

/** All columns except `bucket_at`; several levels may have the same sums. */
function columnsOf(rollUps: readonly RollUp[]): RawBuilder<unknown> {
  const texts = (value: (rollUp: RollUp) => string): Buffer => textArray(rollUps.map(value))
  const numbers = (value: (rollUp: RollUp) => number): Buffer => bigintArray(rollUps.map(value))
  return sql`
        unnest(${uuidArray(rollUps.map((one) => one.account_id))}::uuid[]),
        unnest(${texts((one) => one.key_id)}::text[]),
        unnest(${texts((one) => one.route)}::text[]),
        unnest(${smallintArray(rollUps.map((one) => one.status))}::smallint[]),
        unnest(${texts((one) => one.outcome)}::text[]),
        unnest(${numbers((one) => one.requests)}::bigint[]),
        unnest(${numbers((one) => one.admitted)}::bigint[]),
        unnest(${numbers((one) => one.denied)}::bigint[]),
        unnest(${numbers((one) => one.refused)}::bigint[]),
        unnest(${numbers((one) => one.bytes_in)}::bigint[]),
        unnest(${numbers((one) => one.bytes_out)}::bigint[]),
        unnest(${numbers((one) => one.rows_returned)}::bigint[]),
        unnest(${numbers((one) => one.peaks.burst)}::bigint[]),
        unnest(${numbers((one) => one.peaks.min)}::bigint[]),
        unnest(${numbers((one) => one.peaks.hour)}::bigint[]),
        unnest(${numbers((one) => one.peaks.day)}::bigint[]),
        unnest(${numbers((one) => one.peaks.month)}::bigint[]),
        unnest(${numbers((one) => one.peaks.conc)}::bigint[]),
        unnest(${bytesArray(rollUps.map((one) => encodeSketch(one.latency)))}::bytea[]),
        unnest(${instantArray(rollUps.map((one) => one.lastMs))}::timestamptz[])`
}

function addToLevel({ level, rollUps }: LevelSums, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  const buckets = rollUps.map(({ bucketMs }) => floorTo(levelOf(level), bucketMs))
  return sql`
      insert into ${rollUpTable(level)} as r (
        account_id, key_id, route, status, outcome,
        requests, admitted, denied, refused, bytes_in, bytes_out, rows_returned,
        peak_burst, peak_min, peak_hour, peak_day, peak_month, peak_conc, latency, last_at, bucket_at)
      select ${columns}, unnest(${instantArray(buckets)}::timestamptz[])
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
      returning account_id, bucket_at, key_id, route, status, outcome, latency`
}

/** Replaces a sketch by its compacted form; the transaction has had the row locked since it added to it. */
export async function replaceSketch(trx: Trx, row: LongSketch, latency: Buffer): Promise<void> {
  await sql`
    update ${rollUpTable(row.level)} set latency = ${latency}
    where account_id = ${row.account_id} and bucket_at = ${row.bucket_at.toISOString()}
      and key_id = ${row.key_id} and route = ${row.route}
      and status = ${row.status} and outcome = ${row.outcome}`.execute(trx)
}
