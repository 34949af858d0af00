import type { Policy } from '@tapeline/contracts/usage/events'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import type { ShadowSum } from './sum-shadow.ts'

type Db = Kysely<Tables>

/** Adds to the sums of their hours. */
export async function addShadowSums(trx: Transaction<Tables>, sums: readonly ShadowSum[]): Promise<void> {
  if (sums.length === 0) return
  const rows = sums.map(({ hourMs, by, first, lastMs, ...sum }) => ({
    ...sum,
    ...Object.fromEntries(Object.entries(by).map(([policy, count]) => [`by_${policy}`, count])),
    hour_at: new Date(hourMs),
    first_at: first === undefined ? null : new Date(first.ms),
    first_request_id: first?.requestId ?? null,
    first_denied_by: first?.deniedBy ?? null,
    last_at: lastMs === undefined ? null : new Date(lastMs),
  }))
  await sql`
    insert into usage_shadow as s
    select * from jsonb_populate_recordset(null::usage_shadow, ${JSON.stringify(rows)}::jsonb)
    on conflict (proposal_id, hour_at, account_id, key_id) do update set
      requests = s.requests + excluded.requests,
      rejected = s.rejected + excluded.rejected,
      would_be_rejected = s.would_be_rejected + excluded.would_be_rejected,
      newly_rejected = s.newly_rejected + excluded.newly_rejected,
      newly_admitted = s.newly_admitted + excluded.newly_admitted,
      by_burst = s.by_burst + excluded.by_burst,
      by_min = s.by_min + excluded.by_min,
      by_hour = s.by_hour + excluded.by_hour,
      by_day = s.by_day + excluded.by_day,
      by_month = s.by_month + excluded.by_month,
      by_conc = s.by_conc + excluded.by_conc,
      (first_at, first_request_id, first_denied_by) = (
        select earlier.* from (values (s.first_at, s.first_request_id, s.first_denied_by),
          (excluded.first_at, excluded.first_request_id, excluded.first_denied_by)) as earlier (at, request_id, denied_by)
        order by earlier.at nulls last limit 1),
      last_at = greatest(s.last_at, excluded.last_at),
      longest_wait_ms = greatest(s.longest_wait_ms, excluded.longest_wait_ms)`.execute(trx)
}

/** Hours `from` to `to`, exclusive, of a proposal; `owner`: only requests of this account. */
export type ShadowPeriod = { proposal: string; from: Date; to: Date; owner?: string }
type Sums<T> = {
  requests: T
  rejected: T
  would_be_rejected: T
  newly_rejected: T
  newly_admitted: T
  longest_wait_ms: T | null
}

/** The owner is absent for admins. */
export async function totalShadow(
  db: Db,
  { proposal, from, to, owner }: ShadowPeriod,
): Promise<Sums<string> & { accounts: string; accounts_affected: string }> {
  const { rows } = await sql<Sums<string> & { accounts: string; accounts_affected: string }>`
    select count(distinct account_id) as accounts,
      count(distinct account_id) filter (where newly_rejected > 0) as accounts_affected,
      coalesce(sum(requests), 0) as requests, coalesce(sum(rejected), 0) as rejected,
      coalesce(sum(would_be_rejected), 0) as would_be_rejected, coalesce(sum(newly_rejected), 0) as newly_rejected,
      coalesce(sum(newly_admitted), 0) as newly_admitted, max(longest_wait_ms) as longest_wait_ms
    from usage_shadow
    where proposal_id = ${proposal}::uuid and hour_at >= ${from} and hour_at < ${to} and ${ownedBy(owner)}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate has one row')
  return row
}

export type ShadowHourRow = { at: Date; requests: string; would_be_rejected: string }

function ownedBy(owner: string | undefined) {
  return owner === undefined ? sql`true` : sql`account_id = ${owner}::uuid`
}

export async function listShadowHours(db: Db, { proposal, from, to, owner }: ShadowPeriod): Promise<ShadowHourRow[]> {
  const { rows } = await sql<ShadowHourRow>`
    select hour_at as at, sum(requests) as requests, sum(would_be_rejected) as would_be_rejected
    from usage_shadow
    where proposal_id = ${proposal}::uuid and hour_at >= ${from} and hour_at < ${to} and ${ownedBy(owner)}
    group by hour_at order by hour_at`.execute(db)
  return rows
}

export type ShadowAccountRow = Sums<string> &
  Record<`by_${Policy}`, string> & {
    account_id: string
    keys: { key_id: string; would_be_rejected: number }[]
    first_at: Date | null
    first_request_id: string | null
    first_denied_by: Policy[] | null
    last_at: Date | null
  }

/** Accounts for which the shadow limits decided differently from those in force, or rejected; most new rejections first. */
export async function listShadowAccounts(
  db: Db,
  { proposal, from, to, owner }: ShadowPeriod,
  limit: number,
): Promise<ShadowAccountRow[]> {
  const { rows } = await sql<ShadowAccountRow>`
    with hours as (
      select * from usage_shadow
      where proposal_id = ${proposal}::uuid and hour_at >= ${from} and hour_at < ${to} and ${ownedBy(owner)}
    ), accounts as (
      select account_id, sum(requests) as requests, sum(rejected) as rejected, sum(would_be_rejected) as would_be_rejected,
        sum(newly_rejected) as newly_rejected, sum(newly_admitted) as newly_admitted, sum(by_burst) as by_burst,
        sum(by_min) as by_min, sum(by_hour) as by_hour, sum(by_day) as by_day, sum(by_month) as by_month,
        sum(by_conc) as by_conc, max(last_at) as last_at, max(longest_wait_ms) as longest_wait_ms
      from hours group by account_id
      having sum(would_be_rejected) > 0 or sum(newly_admitted) > 0
      order by newly_rejected desc, would_be_rejected desc, account_id limit ${limit}
    )
    select a.*, f.first_at, f.first_request_id, f.first_denied_by, k.keys
    from accounts a
    left join lateral (
      select first_at, first_request_id, first_denied_by from hours
      where account_id = a.account_id and first_at is not null order by first_at limit 1
    ) f on true
    cross join lateral (
      select jsonb_agg(jsonb_build_object('key_id', key_id, 'would_be_rejected', n) order by n desc, key_id) as keys
      from (select key_id, sum(would_be_rejected) as n from hours where account_id = a.account_id group by key_id) of_key
    ) k
    order by a.newly_rejected desc, a.would_be_rejected desc, a.account_id`.execute(db)
  return rows
}

/** Returns the number of deleted rows: fewer than the limit means that none is left. */
export async function deleteShadowBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from usage_shadow where ctid = any(array(
      select ctid from usage_shadow where hour_at < ${before} limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}
