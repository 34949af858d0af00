import { type Kysely, sql } from 'kysely'
import type { Tables } from '../src/tables.ts'

type Db = Kysely<Tables>
export type Redecision = { request_id: string; time_ms: number; admitted: boolean; is_degraded: boolean }

/** Requests of a tier in a period, and those that a limit rejected, as recorded. For tests. */
export async function countRecorded(db: Db, tier: string, { from, to }: { from: string; to: string }) {
  const { rows } = await sql<{ requests: string; rejected: string }>`
    select count(*) as requests, count(*) filter (where verdict = 'denied') as rejected from logged_request
    where tier = ${tier} and time >= ${from}::timestamptz and time < ${to}::timestamptz`.execute(db)
  return { requests: Number(rows[0]?.requests), rejected: Number(rows[0]?.rejected) }
}

/** The most that one account used of each limit in these requests, by policy. */
export async function highestRecorded(db: Db, tier: string, { from, to }: { from: string; to: string }) {
  const { rows } = await sql<{ policy: string; used: number }>`
    select w ->> 'policy' as policy, max((w ->> 'used')::int) as used
    from logged_request, jsonb_array_elements(decision -> 'windows') as w
    where tier = ${tier} and time >= ${from}::timestamptz and time < ${to}::timestamptz group by 1`.execute(db)
  return new Map(rows.map(({ policy, used }) => [policy, used]))
}

/**
 * Requests that a replay admitted although a window was full, counted in SQL: a request counts in a window of n cells while
 * its cell is one of the last n. `reasonless`: rejected although all four windows had room. Degraded requests keep their verdicts.
 */
export async function countWrong(
  db: Db,
  { accountId, from, decided }: { accountId: string; from: string; decided: readonly Redecision[] },
  limits: { burst: number; min: number; hour: number; day: number },
): Promise<{ overfull: number; reasonless: number }> {
  const { rows } = await sql<{ overfull: string; reasonless: string }>`
    with decided as materialized (
      select row_number() over () as ord, r.* from jsonb_to_recordset(${JSON.stringify(decided)}::jsonb)
        as r (request_id text, time_ms bigint, admitted boolean, is_degraded boolean)),
    counted as materialized (
      select (extract(epoch from time) * 1000)::bigint as time_ms, 0 as ord from logged_request
        where account_id = ${accountId}::uuid and verdict = 'admitted' and time < ${from}::timestamptz
      union all select time_ms, ord from decided where admitted),
    judged as (
      select d.admitted, d.is_degraded,
        count(*) filter (where c.time_ms / 100 > d.time_ms / 100 - 11) >= ${limits.burst}
        or count(*) filter (where c.time_ms / 1000 > d.time_ms / 1000 - 61) >= ${limits.min}
        or count(*) filter (where c.time_ms / 60000 > d.time_ms / 60000 - 61) >= ${limits.hour}
        or count(*) filter (where c.time_ms / 900000 > d.time_ms / 900000 - 97) >= ${limits.day} as is_full
      from decided d left join counted c on c.ord < d.ord and c.time_ms > d.time_ms - 97 * 900000
      group by d.ord, d.admitted, d.is_degraded)
    select count(*) filter (where admitted and is_full and not is_degraded) as overfull,
      count(*) filter (where not admitted and not is_full) as reasonless from judged`.execute(db)
  return { overfull: Number(rows[0]?.overfull), reasonless: Number(rows[0]?.reasonless) }
}
