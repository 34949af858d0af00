import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { bigintArray, instantArray, textArray, uuidArray } from '../rollups/binary-array.ts'
import type { Range } from '../rollups/read-plan.ts'
import type { RowSums, UsageFilter } from './report-queries.ts'
import type { NetworkSum } from '../rollups/roll-up-networks.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>

/** Whole UTC days and whole quarters of an hour; the rest at the edges is counted from the rows. */
export type NetworkQuestion = UsageFilter & {
  days: readonly Range[]
  quarters: readonly Range[]
  fragments: readonly Range[]
  /** Requests of the fragments that are in archived days. */
  archived: readonly NetworkSum[]
  networksMax: number
}

/** The networks with the most requests, by outcome. */
export async function sumNetworks(db: Db, question: NetworkQuestion): Promise<RowSums[]> {
  const { accountId, route, keyId, days, quarters, fragments, archived, networksMax } = question
  const { rows } = await sql<RowSums>`
    with part as (
      ${sumsIn('usage_network_day', accountId, days)}
      union all
      ${sumsIn('usage_network', accountId, quarters)}
      union all
      select r.* from ${asRanges(fragments)}
      cross join lateral (
        select network, key_id, route, outcome, 1::bigint as requests, time as last_at from logged_request
        where account_id = ${accountId}::uuid and time >= range.from_at and time < range.to_at
        offset 0
      ) r
      union all
      select network, key_id, route, outcome, requests, last_at from ${sumRows(archived)}
        as archived (account_id, bucket_at, network, key_id, route, outcome, requests, last_at)
  ), filtered as (
      select network, outcome, sum(requests) as requests, max(last_at) as last_at from part
      where (${route ?? null}::text is null or route = ${route ?? null})
        and (${keyId ?? null}::text is null or key_id = ${keyId ?? null})
      group by 1, 2
    ), busiest as (
      select network from filtered group by network order by sum(requests) desc, network limit ${networksMax}
    )
    select network as row_key, outcome, requests::bigint as requests, last_at, null::bytea as latency
    from filtered where network in (select network from busiest)`.execute(db)
  return rows
}

/** Adds to the sums per network, of quarters of an hour and of days, in one statement. */
export async function addNetworkSums(
  trx: Transaction<Tables>,
  quarters: readonly NetworkSum[],
  days: readonly NetworkSum[],
): Promise<void> {
  await sql`with quarter as (${addTo('usage_network', quarters)}) ${addTo('usage_network_day', days)}`.execute(trx)
}

type NetworkTable = 'usage_network' | 'usage_network_day'

/** The sums as rows. */
function sumRows(sums: readonly NetworkSum[]): RawBuilder<unknown> {
  const texts = (value: (sum: NetworkSum) => string): Buffer => textArray(sums.map(value))
  return sql`unnest(
    ${uuidArray(sums.map((one) => one.account_id))}::uuid[],
    ${instantArray(sums.map((one) => one.bucketMs))}::timestamptz[],
    ${texts((one) => one.network)}::text[],
    ${texts((one) => one.key_id)}::text[],
    ${texts((one) => one.route)}::text[],
    ${texts((one) => one.outcome)}::text[],
    ${bigintArray(sums.map((one) => one.requests))}::bigint[],
    ${instantArray(sums.map((one) => one.lastMs))}::timestamptz[])`
}

function addTo(table: NetworkTable, sums: readonly NetworkSum[]): RawBuilder<unknown> {
  return sql`
    insert into ${sql.table(table)} as n (account_id, bucket_at, network, key_id, route, outcome, requests, last_at)
    select * from ${sumRows(sums)}
    on conflict (account_id, bucket_at, network, key_id, route, outcome) do update set
      requests = n.requests + excluded.requests,
      last_at = greatest(n.last_at, excluded.last_at)`
}

function sumsIn(table: NetworkTable, accountId: string, ranges: readonly Range[]): RawBuilder<unknown> {
  return sql`
    select r.* from ${asRanges(ranges)}
    cross join lateral (
      select network, key_id, route, outcome, requests, last_at from ${sql.table(table)}
      where account_id = ${accountId}::uuid and bucket_at >= range.from_at and bucket_at < range.to_at
      offset 0
    ) r`
}

function asRanges(ranges: readonly Range[]): RawBuilder<unknown> {
  const [starts, ends] = [ranges.map(({ fromMs }) => fromMs), ranges.map(({ toMs }) => toMs)]
  return sql`unnest(${instantArray(starts)}::timestamptz[], ${instantArray(ends)}::timestamptz[]) as range (from_at, to_at)`
}
