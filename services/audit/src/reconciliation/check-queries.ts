import { type Kysely, sql, type Transaction } from 'kysely'
import type { Difference } from './reconcile-usage.ts'
import type { Range } from '../rollups/read-plan.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
const TOPIC = 'usage'

export type Checks = { final_until: Date | null; drift: string; unverified: string; adjusted: string }
const NOT_COMPARED: Checks = { final_until: null, drift: '0', unverified: '0', adjusted: '0' }

/** Minutes of an account in which rows and the limiter's count differ. */
export async function findChecks(db: Db, accountId: string, { fromMs, toMs }: Range): Promise<Checks> {
  const inPeriod = sql`minute_at >= ${iso(fromMs)}::timestamptz and minute_at < ${iso(toMs)}::timestamptz`
  const { rows } = await sql<Checks>`
    select
      (select least(min(p.checked_until), min(c.minute_at) filter (where c.state = 'pending'))
        from usage_progress p where p.topic = ${TOPIC}) as final_until,
      coalesce(sum(c.cells - c.rows) filter (where c.state = 'drift'), 0)::bigint as drift,
      count(*) filter (where c.state = 'unverified' and ${inPeriod}) as unverified,
      coalesce(sum(c.cells - c.rows) filter (where c.state = 'closed' and ${inPeriod}), 0)::bigint as adjusted
    from usage_check c where c.account_id = ${accountId}::uuid`.execute(db)
  return rows[0] ?? NOT_COMPARED
}

/** Held by the process that compares. */
const RUN_LOCK = 'usage reconciliation run'

/** Runs `work` unless another run compares. A lock of the session: the work is many transactions. */
export async function whileComparing<T>(db: Db, work: () => Promise<T>): Promise<T | 'another run compares'> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ is_free: boolean }>`
      select pg_try_advisory_lock(hashtext(${RUN_LOCK})) as is_free`.execute(session)
    if (rows[0]?.is_free !== true) return 'another run compares'
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${RUN_LOCK}))`.execute(session)
    }
  })
}

export function findProgress(db: Db) {
  return db
    .selectFrom('usage_progress')
    .select(['complete_until', 'checked_until'])
    .where('topic', '=', TOPIC)
    .executeTakeFirst()
}

/** The next accounts with a request since then or with a minute that is still open. */
export async function listAccountsToCompare(
  db: Db,
  { fromMs }: Range,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  const isNext = sql`(${after ?? null}::uuid is null or account_id > ${after ?? null}::uuid)`
  const { rows } = await sql<{ account_id: string }>`
    (select account_id from usage_account
      where ${isNext} and last_at >= ${iso(fromMs)}::timestamptz
      order by account_id limit ${limit})
    union
    (select distinct account_id from usage_check
      where ${isNext} and state in ('pending', 'drift') and minute_at >= ${iso(fromMs)}::timestamptz
      order by account_id limit ${limit})
    order by account_id limit ${limit}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

export async function listMinuteRequests(db: Db, accountIds: readonly string[], { fromMs, toMs }: Range) {
  const { rows } = await sql<{ account_id: string; bucket_at: Date; requests: string }>`
    select account_id, bucket_at, sum(requests)::bigint as requests from usage_minute
    where account_id = any(${accountIds}::uuid[])
      and bucket_at >= ${iso(fromMs)}::timestamptz and bucket_at < ${iso(toMs)}::timestamptz
    group by 1, 2`.execute(db)
  return rows
}

/** The limiter's count of the minutes that differed, without those that it had not counted completely. */
export async function listRecordedCells(trx: Trx, accountIds: readonly string[], { fromMs, toMs }: Range) {
  const { rows } = await sql<{ account_id: string; minute_at: Date; cells: string }>`
    select account_id, minute_at, cells from usage_check
    where account_id = any(${accountIds}::uuid[]) and state <> 'unverified'
      and minute_at >= ${iso(fromMs)}::timestamptz and minute_at < ${iso(toMs)}::timestamptz`.execute(trx)
  return rows
}

/** Deletes the records of minutes that agree now, including adjusted ones. */
export async function deleteReconciled(
  trx: Trx,
  accountIds: readonly string[],
  { fromMs, toMs }: Range,
  differences: readonly Difference[],
): Promise<void> {
  await sql`
    delete from usage_check
    where account_id = any(${accountIds}::uuid[])
      and minute_at >= ${iso(fromMs)}::timestamptz and minute_at < ${iso(toMs)}::timestamptz
      and (account_id, minute_at) not in (select * from unnest(
        ${differences.map(({ accountId }) => accountId)}::uuid[],
        ${differences.map(({ minuteMs }) => iso(minuteMs))}::timestamptz[]))`.execute(trx)
}

export async function saveDifferences(trx: Trx, differences: readonly Difference[], at: Date): Promise<void> {
  if (differences.length === 0) return
  await sql`
    insert into usage_check as c (account_id, minute_at, cells, rows, state, checked_at)
    select u.*, ${at.toISOString()}::timestamptz from unnest(
      ${differences.map(({ accountId }) => accountId)}::uuid[],
      ${differences.map(({ minuteMs }) => iso(minuteMs))}::timestamptz[],
      ${differences.map(({ cells }) => cells)}::bigint[],
      ${differences.map(({ rows }) => rows)}::bigint[],
      ${differences.map(({ state }) => state)}::text[]) as u
    on conflict (account_id, minute_at) do update
    set cells = excluded.cells, rows = excluded.rows, checked_at = excluded.checked_at,
      state = case when c.state = 'closed' then c.state else excluded.state end
    where (c.cells, c.rows, c.state) is distinct from (excluded.cells, excluded.rows, excluded.state)`.execute(trx)
}

/** Turns drift that is still unexplained into adjustments; also minutes that an outage has left pending for so long. */
export async function adjustOldDrift(db: Db, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update usage_check set state = 'closed'
    where state in ('pending', 'drift') and minute_at < ${before.toISOString()}::timestamptz`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export type CheckPlace = { minute_at: Date; account_id: string }

/**
 * Counts the rows of a page of adjusted minutes again that Redis no longer has, and deletes the records of those that
 * agree now. Returns the place after which the next page begins; undefined: none is left.
 */
export async function recountAdjusted(
  db: Db,
  before: Date,
  after: CheckPlace | undefined,
  limit: number,
): Promise<CheckPlace | undefined> {
  const isNext =
    after === undefined
      ? sql`true`
      : sql`(minute_at, account_id) > (${after.minute_at.toISOString()}::timestamptz, ${after.account_id}::uuid)`
  const { rows } = await sql<CheckPlace>`
    with page as materialized (
      select account_id, minute_at, rows from usage_check
      where state = 'closed' and minute_at < ${before.toISOString()}::timestamptz and ${isNext}
      order by minute_at, account_id limit ${limit}
    ), counted as (
      select c.account_id, c.minute_at, m.rows from page c
      cross join lateral (
        select coalesce(sum(requests), 0)::bigint as rows from usage_minute
        where account_id = c.account_id and bucket_at = c.minute_at
      ) m
      where m.rows <> c.rows
    ), agreed as (
      delete from usage_check c using counted n
      where (c.account_id, c.minute_at) = (n.account_id, n.minute_at) and c.cells = n.rows
    ), differing as (
      update usage_check c set rows = n.rows from counted n
      where (c.account_id, c.minute_at) = (n.account_id, n.minute_at) and c.cells <> n.rows
    )
    select minute_at, account_id from page order by minute_at, account_id offset ${limit - 1}`.execute(db)
  return rows[0]
}

/** Never decreases. */
export async function raiseCheckedUntil(db: Db, at: Date): Promise<void> {
  await sql`
    update usage_progress set checked_until = greatest(checked_until, ${at.toISOString()}::timestamptz)
    where topic = ${TOPIC}`.execute(db)
}

/** Returns the number of deleted rows: fewer than the limit means that none is left. */
export async function deleteChecks(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from usage_check where ctid = any(array(
      select ctid from usage_check where minute_at < ${before.toISOString()}::timestamptz limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}

export type TotalDrift = { missing: string; extra: string; unverified: string; checked_until: Date | null }

/** Sums over all accounts, for the operator. */
export async function sumDrift(db: Db): Promise<TotalDrift | undefined> {
  const { rows } = await sql<TotalDrift>`
    select
      coalesce(sum(greatest(cells - rows, 0)) filter (where state = 'drift'), 0)::bigint as missing,
      coalesce(sum(greatest(rows - cells, 0)) filter (where state = 'drift'), 0)::bigint as extra,
      count(*) filter (where state = 'unverified') as unverified,
      (select checked_until from usage_progress where topic = ${TOPIC}) as checked_until
    from usage_check`.execute(db)
  return rows[0]
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
