import { type Kysely, sql } from 'kysely'
import { LEVEL_MS, levelOf, type Stored } from '../rollups/roll-up.ts'
import { rollUpTable } from '../rollups/roll-up-queries.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
/** One account, or all. */
type Scope = string | null

export type RowCounts = { rows: number; withLatency: number }

export type NetworkMismatch = {
  account_id: string
  bucket_at: Date
  network: string
  key_id: string
  route: string
  outcome: string
}

/** Rows from a day on. */
export async function countRows(db: Db, account: Scope, since: Date): Promise<RowCounts> {
  const { rows } = await sql<{ rows: string; with_latency: string }>`
    select count(*) as rows, count(*) filter (where verdict = 'admitted' and outcome <> 'aborted') as with_latency
    from logged_request
    where time >= ${since.toISOString()}::timestamptz
      and (${account}::uuid is null or account_id = ${account}::uuid)`.execute(db)
  return { rows: Number(rows[0]?.rows ?? 0), withLatency: Number(rows[0]?.with_latency ?? 0) }
}

/** Number of ids with more than one row, over all accounts and days. */
export async function countRepeatedIds(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from (select id from logged_request group by id having count(*) > 1) as repeated`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

export async function countDeadLetters(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from dead_letter`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Requests in a level, from a day on. */
export async function sumRequests(db: Db, level: Stored, account: Scope, since: Date): Promise<number> {
  const { rows } = await sql<{ requests: string }>`
    select coalesce(sum(requests), 0) as requests from ${rollUpTable(level)}
    where bucket_at >= ${since.toISOString()}::timestamptz
      and (${account}::uuid is null or account_id = ${account}::uuid)`.execute(db)
  return Number(rows[0]?.requests ?? 0)
}

/** All sketches of a level, concatenated per day. */
export async function listSketches(db: Db, level: Stored, account: Scope, since: Date): Promise<Buffer[]> {
  const { rows } = await sql<{ latency: Buffer }>`
    select string_agg(latency, ''::bytea) as latency from ${rollUpTable(level)}
    where bucket_at >= ${since.toISOString()}::timestamptz
      and (${account}::uuid is null or account_id = ${account}::uuid)
    group by date_trunc('day', bucket_at, 'UTC')`.execute(db)
  return rows.map(({ latency }) => latency)
}

export type Mismatch = {
  account_id: string
  bucket_at: Date
  key_id: string
  route: string
  status: number
  outcome: string
}

/** The first buckets of a level that differ from the sums of their rows. */
export async function listMismatches(db: Db, level: Stored, account: Scope, since: Date): Promise<Mismatch[]> {
  const finest = levelOf(level)
  const isOfAccount = finest !== level
  const bucketMs = LEVEL_MS[finest]
  const group = isOfAccount ? sql`'' as key_id, '' as route, 0::smallint as status` : sql`key_id, route, status`
  const { rows } = await sql<Mismatch>`
    with summed as (
      select account_id, date_bin(${sql.lit(`${bucketMs} ms`)}::interval, time, 'epoch') as bucket_at, ${group}, outcome,
        count(*) as requests,
        count(*) filter (where verdict = 'admitted') as admitted,
        count(*) filter (where verdict = 'denied') as denied,
        count(*) filter (where verdict = 'refused') as refused,
        sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out, sum(coalesce(rows_returned, 0)) as rows_returned,
        max(time) as last_at
      from logged_request
      where time >= ${since.toISOString()}::timestamptz
        and (${account}::uuid is null or account_id = ${account}::uuid)
      group by 1, 2, 3, 4, 5, 6
    ), rolled as (
      select * from ${rollUpTable(level)}
      where bucket_at >= ${since.toISOString()}::timestamptz
        and (${account}::uuid is null or account_id = ${account}::uuid)
    )
    select account_id, bucket_at, key_id, route, status, outcome
    from summed s full join rolled r using (account_id, bucket_at, key_id, route, status, outcome)
    where (s.requests, s.admitted, s.denied, s.refused, s.bytes_in, s.bytes_out, s.rows_returned, s.last_at)
      is distinct from
      (r.requests, r.admitted, r.denied, r.refused, r.bytes_in, r.bytes_out, r.rows_returned, r.last_at)
    order by bucket_at limit 20`.execute(db)
  return rows
}

/** The first networks of a quarter of an hour, or of a day, whose sums differ from those of their rows. */
export async function listNetworkMismatches(
  db: Db,
  level: 'quarter_hour' | 'day',
  account: Scope,
  since: Date,
): Promise<NetworkMismatch[]> {
  const table = sql.table(level === 'day' ? 'usage_network_day' : 'usage_network')
  const { rows } = await sql<NetworkMismatch>`
    with summed as (
      select account_id, date_bin(${sql.lit(`${LEVEL_MS[level]} ms`)}::interval, time, 'epoch') as bucket_at, network, key_id,
        route, outcome, count(*) as requests, max(time) as last_at
      from logged_request
      where time >= ${since.toISOString()}::timestamptz
        and (${account}::uuid is null or account_id = ${account}::uuid)
      group by 1, 2, 3, 4, 5, 6
    ), rolled as (
      select * from ${table}
      where bucket_at >= ${since.toISOString()}::timestamptz
        and (${account}::uuid is null or account_id = ${account}::uuid)
    )
    select account_id, bucket_at, network, key_id, route, outcome
    from summed s full join rolled r using (account_id, bucket_at, network, key_id, route, outcome)
    where (s.requests, s.last_at) is distinct from (r.requests, r.last_at)
    order by bucket_at limit 20`.execute(db)
  return rows
}

/** Archived days whose requests, with those that arrived later, are not as many as the roll-ups of the day have. */
export async function listArchivedMismatches(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select a.day::text as day from archived_day a
    cross join lateral (select a.day::timestamp at time zone 'utc' as from_at) d
    where a.dropped_at is not null
      and a.rows + (select count(*) from logged_request where time >= d.from_at and time < d.from_at + interval '1 day')
        <> (select coalesce(sum(requests), 0) from usage_account_day where bucket_at = d.from_at)
    order by 1`.execute(db)
  return rows.map(({ day }) => day)
}
