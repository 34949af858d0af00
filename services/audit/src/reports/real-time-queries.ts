import { type Kysely, sql } from 'kysely'
import type { Outcome } from '@tapeline/contracts/usage/events'
import type { Range } from '../rollups/read-plan.ts'
import { LOG_GAMMA } from '../rollups/sketch.ts'
import type { Tables } from '../tables.ts'

/** Requests of one outcome in one bucket of the latency sketch; null: without a response time. */
export type RecentRequests = {
  is_newest: boolean
  outcome: Outcome
  bucket: number | null
  requests: string
  last_at: Date
}

/** Counts the rows themselves; `newestFromMs` separates the last minute from the rest. */
export async function sumRecentRequests(
  db: Kysely<Tables>,
  accountId: string,
  ranges: readonly Range[],
  newestFromMs: number,
): Promise<RecentRequests[]> {
  const { rows } = await sql<RecentRequests>`
    select
      r.time >= ${iso(newestFromMs)}::timestamptz as is_newest,
      r.outcome,
      case when r.verdict = 'admitted' and r.outcome <> 'aborted'
        then ceil(ln(greatest(r.latency_us, 1)::float8) / ${sql.lit(String(LOG_GAMMA))}::float8)::integer end as bucket,
      count(*) as requests,
      max(r.time) as last_at
    from unnest(${ranges.map(({ fromMs }) => iso(fromMs))}::timestamptz[],
      ${ranges.map(({ toMs }) => iso(toMs))}::timestamptz[]) as range (from_at, to_at)
    cross join lateral (
      select time, outcome, verdict, latency_us from logged_request
      where account_id = ${accountId}::uuid and time >= range.from_at and time < range.to_at
      offset 0
    ) r
    group by 1, 2, 3`.execute(db)
  return rows
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
