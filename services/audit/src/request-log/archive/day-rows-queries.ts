import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { StoredDetail } from '../encode-detail.ts'

type Db = Kysely<Tables>

/** One look into the index per account, so that it takes no longer on a day with many rows. */
export async function listAccountsOfDay(db: Db, day: string): Promise<number[]> {
  const next = (after: RawBuilder<unknown>) =>
    sql`(select account from request_log where ${isInDay(day)} and account > ${after} order by account limit 1)`
  const { rows } = await sql<{ account: number }>`
    with recursive accounts as (
      select ${next(sql`0`)} as account
      union all
      select ${next(sql`accounts.account`)} from accounts where account is not null
    )
    select account from accounts where account is not null`.execute(db)
  return rows.map(({ account }) => account)
}

export async function hasRowsOfDay(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from request_log where ${isInDay(day)}) as found`.execute(db)
  return rows[0]?.found ?? false
}

export type LoggedRow = StoredDetail & {
  id: string
  time_us: string
  account: number
  account_id: string
  key_id: string
  kid: string | null
  tier: string
  method: string
  route: string
  status: number
  outcome: string
  code: string | null
  latency_us: string
  bytes_in: string
  bytes_out: string
  rows_returned: string | null
  gateway_id: string
  request_id: string
  network: string
  place: string
}

/** A page of an account's rows of a day, oldest first. `after`: the last row of the page before. */
export async function listRowsOfDay(
  db: Db,
  { day, account }: { day: string; account: number },
  after: Pick<LoggedRow, 'place' | 'id'> | undefined,
  limit: number,
): Promise<LoggedRow[]> {
  const isLater =
    after === undefined
      ? sql`true`
      : sql`time >= ${after.place}::timestamptz and (time, id) > (${after.place}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<LoggedRow>`
    select id, (extract(epoch from time) * 1000000)::bigint as time_us, account, account_id, key_id, kid, tier, method, route,
      status, outcome, code, latency_us, bytes_in, bytes_out, rows_returned, gateway_id, request_id, network, verdict, detail,
      limits, proposal, time::text as place
    from request_log_row
    where account = ${account} and ${isInDay(day)} and ${isLater}
    order by time, id limit ${limit}`.execute(db)
  return rows
}

/** Condition for the rows of a UTC day, as `2026-11-21`. */
export function isInDay(day: string) {
  const from = sql`${`${day}T00:00:00Z`}::timestamptz`
  return sql<boolean>`time >= ${from} and time < ${from} + interval '1 day'`
}
