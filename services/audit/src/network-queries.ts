import { type Kysely, sql, type Transaction } from 'kysely'
import { instantArray, numberArray, textArray } from './array-text.ts'
import type { Range } from './read-plan.ts'
import type { RowSums, UsageFilter } from './report-queries.ts'
import type { NetworkSum } from './roll-up-networks.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** `quarters` are whole quarters of an hour; what is left at their edges is counted from the rows. */
export type NetworkQuestion = UsageFilter & {
  quarters: readonly Range[]
  fragments: readonly Range[]
  networksMax: number
}

/** The busiest networks, by outcome. */
export async function sumNetworks(db: Db, question: NetworkQuestion): Promise<RowSums[]> {
  const { accountId, route, keyId, quarters, fragments, networksMax } = question
  const { rows } = await sql<RowSums>`
    with part as (
      select r.* from unnest(${starts(quarters)}::timestamptz[], ${ends(quarters)}::timestamptz[]) as range (from_at, to_at)
      cross join lateral (
        select network, key_id, route, outcome, requests, last_at from usage_network
        where account_id = ${accountId}::uuid and bucket_at >= range.from_at and bucket_at < range.to_at
        offset 0
      ) r
      union all
      select r.* from unnest(${starts(fragments)}::timestamptz[], ${ends(fragments)}::timestamptz[]) as range (from_at, to_at)
      cross join lateral (
        select network, key_id, route, outcome, 1::bigint as requests, time as last_at from usage_event
        where account_id = ${accountId}::uuid and time >= range.from_at and time < range.to_at
        offset 0
      ) r
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

/** Adds to the sums per network in one statement. */
export async function addNetworkSums(trx: Transaction<Tables>, sums: readonly NetworkSum[]): Promise<void> {
  const texts = (value: (sum: NetworkSum) => string): string => textArray(sums.map(value))
  await sql`
    insert into usage_network as n (account_id, bucket_at, network, key_id, route, outcome, requests, last_at)
    select * from unnest(
      ${texts((one) => one.account_id)}::uuid[],
      ${instantArray(sums.map((one) => one.bucketMs))}::timestamptz[],
      ${texts((one) => one.network)}::text[],
      ${texts((one) => one.key_id)}::text[],
      ${texts((one) => one.route)}::text[],
      ${texts((one) => one.outcome)}::text[],
      ${numberArray(sums.map((one) => one.requests))}::bigint[],
      ${instantArray(sums.map((one) => one.lastMs))}::timestamptz[])
    on conflict (account_id, bucket_at, network, key_id, route, outcome) do update set
      requests = n.requests + excluded.requests,
      last_at = greatest(n.last_at, excluded.last_at)`.execute(trx)
}

function starts(ranges: readonly Range[]): string[] {
  return ranges.map(({ fromMs }) => new Date(fromMs).toISOString())
}

function ends(ranges: readonly Range[]): string[] {
  return ranges.map(({ toMs }) => new Date(toMs).toISOString())
}
