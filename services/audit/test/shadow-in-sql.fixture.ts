import type { Policy } from '@tapeline/contracts/usage/events'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../src/tables.ts'

type Db = Kysely<Tables>
export type JudgedLimits = { burst: number; min: number; hour: number; day: number; month: number }
/** Verdicts of a proposal on an account, as recorded, and what this computation found wrong with them. */
export type JudgedInSql = {
  requests: number
  rejected: number
  would_be_rejected: number
  newly_rejected: number
  newly_admitted: number
  by: Partial<Record<Policy, number>>
  first_at: Date | null
  last_at: Date | null
  /** Named limits differ from the windows that are full, counted in cells. */
  differently_named: number
  /** Admitted although an exact log over the window is full; rejected although one over the window + one cell has room. */
  overfull: number
  reasonless: number
  /** Waiting times that are not those until the oldest counted cell of every full window has left. */
  wrong_waits: number
  longest_wait_ms: number | null
}

export type JudgedProposal = {
  accountId: string
  proposal: string
  /** Whose verdict: that of the tier's shadow limits, or of the limits proposed for a key. */
  verdict: 'shadow' | 'key_shadow'
  monthStart: string
  monthEnd: string
}

/**
 * Decides the rows of an account again in SQL: a request that the shadow admitted counts in a window of n cells while its cell
 * is one of the last n, and in the month from `monthStart` on. Only for a concurrency limit that nothing reaches. For tests.
 */
export async function evaluateShadowInSql(
  db: Db,
  { accountId, proposal, verdict, monthStart, monthEnd }: JudgedProposal,
  limits: JudgedLimits,
): Promise<JudgedInSql> {
  const { rows } = await sql<Record<keyof JudgedInSql, never> & Record<string, string | null>>`
    with rows as (
      select id, time, verdict, (extract(epoch from time) * 1000)::bigint as ms,
        decision -> ${verdict} -> 'denied_by' as named, (decision -> ${verdict} ->> 'retry_after_ms')::bigint as wait_ms,
        jsonb_array_length(decision -> ${verdict} -> 'denied_by') = 0 as admitted,
        time >= ${monthStart}::timestamptz as is_new_month
      from logged_request
      where account_id = ${accountId}::uuid and decision -> ${verdict} ->> 'proposal' = ${proposal}
    ), ordered as (
      -- Of requests that were decided together, those admitted come first.
      select *, row_number() over (order by ms, admitted desc, id) as n from rows
    ), counted as (
      select *,
        ${usedBefore(100, 11)} as burst, ${usedBefore(1_000, 61)} as min, ${usedBefore(60_000, 61)} as hour,
        ${usedBefore(900_000, 97)} as day,
        count(*) filter (where admitted) over (partition by is_new_month order by n
          rows between unbounded preceding and 1 preceding) as month,
        ${freeAt(100, 11)} as burst_free, ${freeAt(1_000, 61)} as min_free, ${freeAt(60_000, 61)} as hour_free,
        ${freeAt(900_000, 97)} as day_free,
        extract(epoch from case when is_new_month then ${monthEnd}::timestamptz else ${monthStart}::timestamptz end)::bigint
          * 1000 as month_free,
        ${loggedBefore(1_000)} as burst_log, ${loggedBefore(60_000)} as min_log,
        ${loggedBefore(3_600_000)} as hour_log, ${loggedBefore(86_400_000)} as day_log,
        ${loggedBefore(1_100)} as burst_more, ${loggedBefore(61_000)} as min_more,
        ${loggedBefore(3_660_000)} as hour_more, ${loggedBefore(87_300_000)} as day_more
      from ordered
    ), judged as (
      select *, to_jsonb(array_remove(array[
          case when burst >= ${limits.burst} then 'burst' end, case when min >= ${limits.min} then 'min' end,
          case when hour >= ${limits.hour} then 'hour' end, case when day >= ${limits.day} then 'day' end,
          case when month >= ${limits.month} then 'month' end], null)) as full_windows,
        ${freedBy(limits)} - ms as expected_wait,
        burst_log >= ${limits.burst} or min_log >= ${limits.min} or hour_log >= ${limits.hour}
          or day_log >= ${limits.day} or month >= ${limits.month} as is_full,
        burst_more >= ${limits.burst} or min_more >= ${limits.min} or hour_more >= ${limits.hour}
          or day_more >= ${limits.day} or month >= ${limits.month} as is_full_with_a_cell
      from counted
    )
    select count(*) as requests, count(*) filter (where verdict = 'denied') as rejected,
      count(*) filter (where not admitted) as would_be_rejected, max(expected_wait) filter (where not admitted) as longest_wait_ms,
      count(*) filter (where not admitted and verdict = 'admitted') as newly_rejected,
      count(*) filter (where admitted and verdict = 'denied') as newly_admitted,
      (select jsonb_object_agg(policy, times) from (
        select policy, count(*) as times from judged, jsonb_array_elements_text(full_windows) as policy group by policy) p) as by,
      min(time) filter (where not admitted) as first_at, max(time) filter (where not admitted) as last_at,
      count(*) filter (where named <> full_windows) as differently_named, count(*) filter (where admitted and is_full) as overfull,
      count(*) filter (where not admitted and not is_full_with_a_cell) as reasonless,
      count(*) filter (where wait_ms is distinct from case when admitted then null else expected_wait end) as wrong_waits
    from judged`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate has one row')
  const { by, first_at, last_at, ...counts } = row
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]))
  return { ...numbers, by: by ?? {}, first_at, last_at } as unknown as JudgedInSql
}

/** Admitted requests before this one in the last `cells` cells: those of earlier cells, and the earlier ones of its own. */
function usedBefore(cellMs: number, cells: number) {
  return sql`(
    count(*) filter (where admitted) over (order by ms / ${sql.lit(cellMs)}
      range between ${sql.lit(cells - 1)} preceding and 1 preceding)
    + count(*) filter (where admitted) over (partition by ms / ${sql.lit(cellMs)} order by n
      rows between unbounded preceding and 1 preceding))`
}

/** When the last of the full windows has room again. */
function freedBy(limits: JudgedLimits) {
  return sql`greatest(
    case when burst >= ${limits.burst} then burst_free end, case when min >= ${limits.min} then min_free end,
    case when hour >= ${limits.hour} then hour_free end, case when day >= ${limits.day} then day_free end,
    case when month >= ${limits.month} then month_free end)`
}

/** When the oldest cell with an admitted request has left the last `cells` cells. */
function freeAt(cellMs: number, cells: number) {
  return sql`(
    min(ms / ${sql.lit(cellMs)}) filter (where admitted) over (order by ms / ${sql.lit(cellMs)}
      range between ${sql.lit(cells - 1)} preceding and current row)
    + ${sql.lit(cells)}) * ${sql.lit(cellMs)}`
}

/** Admitted requests before this one that are younger than `ms`: an exact log. */
function loggedBefore(ms: number) {
  return sql`(
    count(*) filter (where admitted) over (order by ms range between ${sql.lit(ms - 1)} preceding and 1 preceding)
    + count(*) filter (where admitted) over (partition by ms order by n rows between unbounded preceding and 1 preceding))`
}
