import type { StatementLine, StatementRow } from '@tapeline/contracts/audit/statements'
import { type Kysely, sql, type Transaction } from 'kysely'
import { fromEach, isOfAccount, type Source } from '../request-log/source-queries.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
const TOPIC = 'usage'

/** Shared by transactions that record rows, exclusive for the one that closes hours; the queue for it is fair. */
const CLOSING_LOCK = 'usage closing'

/** End of the closed hours; it does not advance before the transaction ends. Undefined before the first closing. */
export async function lockClosing(trx: Trx): Promise<Date | undefined> {
  await sql`select pg_advisory_xact_lock_shared(hashtext(${CLOSING_LOCK}))`.execute(trx)
  // A separate statement, because its snapshot must be newer than the lock.
  return (await findClosing(trx))?.closed_until
}

export function findClosing(db: Db) {
  return db.selectFrom('usage_closing').selectAll().where('id', '=', 1).executeTakeFirst()
}

/** Waits for transactions that record rows. Never decreases. `first`: the first hour, before the first closing. */
export async function raiseClosedUntil(trx: Trx, first: Date, until: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${CLOSING_LOCK}))`.execute(trx)
  await sql`
    insert into usage_closing as c (id, closed_until, sealed_until)
    values (1, ${until.toISOString()}::timestamptz, ${first.toISOString()}::timestamptz)
    on conflict (id) do update set closed_until = greatest(c.closed_until, excluded.closed_until)`.execute(trx)
}

export async function raiseSealedUntil(db: Db, until: Date): Promise<void> {
  await db.updateTable('usage_closing').set({ sealed_until: until.toISOString() }).where('id', '=', 1).execute()
}

export type Settled = { checked_until: Date | null; open_since: Date | null }

/** The first hour with usage. */
export async function findFirstHour(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('usage_account_hour')
    .select(({ fn }) => fn.min('bucket_at').as('first'))
    .executeTakeFirst()
  return row?.first ?? undefined
}

/** Up to when rows agree with the limiter, and the first minute in which they do not. */
export async function findSettled(db: Db): Promise<Settled | undefined> {
  const { rows } = await sql<Settled>`
    select checked_until,
      (select min(minute_at) from usage_check where state in ('pending', 'drift')) as open_since
    from usage_progress where topic = ${TOPIC}`.execute(db)
  return rows[0]
}

export async function insertCorrections(
  trx: Trx,
  late: readonly { id: string; accountId: string; hourAt: Date }[],
  at: Date,
): Promise<void> {
  await sql`
    insert into usage_correction (id, account_id, hour_at, recorded_at)
    select *, ${at.toISOString()}::timestamptz from unnest(
      ${late.map(({ id }) => id)}::uuid[],
      ${late.map(({ accountId }) => accountId)}::uuid[],
      ${late.map(({ hourAt }) => hourAt.toISOString())}::timestamptz[])
    on conflict do nothing`.execute(trx)
}

/** No owner in the condition: the job closes an hour for all accounts. */
export async function listAccountsOfHour(db: Db, hourAt: Date): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from logged_request
    where time >= ${hourAt.toISOString()}::timestamptz
      and time < ${hourAt.toISOString()}::timestamptz + interval '1 hour'
    order by account_id`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Rows of an hour: those that it had when it was closed, or those that arrived later. */
export type RowSet = { accountId: string; hourAt: Date; kind: 'hour' | 'correction'; months?: { from: Date; to: Date } }

/** In the order of the leaves. `months`: only corrections recorded between the two times. */
export async function listLeafRows(
  db: Db,
  { accountId, hourAt, kind, months }: RowSet,
  after: { time: string; id: string } | undefined,
  limit: number,
): Promise<StatementRow[]> {
  const hour = hourAt.toISOString()
  const isCorrection = sql`exists (select 1 from usage_correction c where c.id = e.id and ${
    months === undefined
      ? sql`true`
      : sql`c.recorded_at >= ${months.from.toISOString()}::timestamptz and c.recorded_at < ${months.to.toISOString()}::timestamptz`
  })`
  const rowsOf = (source: Source) => sql`
    select id, time, request_id, account_id, key_id, method, route, status, outcome, verdict, bytes_out, rows_returned
    from ${sql.table(source)} e
    where ${isOfAccount(source, accountId)}
      and time >= ${hour}::timestamptz and time < ${hour}::timestamptz + interval '1 hour'
      and ${kind === 'hour' ? sql`not ${isCorrection}` : isCorrection}
      and (${after?.time ?? null}::timestamptz is null
        or (time, id) > (${after?.time ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by time, id limit ${limit}`
  const { rows } = await sql<StatementRow>`
    select id, to_char(time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time, request_id, account_id, key_id,
      method, route, status, outcome, verdict, bytes_out::float8 as bytes_out,
      coalesce(rows_returned, 0)::float8 as rows_returned
    from (${fromEach(rowsOf)}) e
    order by e.time, e.id limit ${limit}`.execute(db)
  return rows
}

/** Ids of the corrections of an account's hour. `months`: only those recorded between the two times. */
export async function listCorrectionIds(
  db: Db,
  { accountId, hourAt, months }: Pick<RowSet, 'accountId' | 'hourAt' | 'months'>,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('usage_correction')
    .select('id')
    .where('account_id', '=', accountId)
    .where('hour_at', '=', hourAt)
    .$if(months !== undefined, (query) =>
      query.where('recorded_at', '>=', months?.from ?? hourAt).where('recorded_at', '<', months?.to ?? hourAt),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export type ClosedHour = {
  accountId: string
  hourAt: Date
  requests: number
  root: Buffer
  lines: readonly Omit<StatementLine, 'day'>[]
  closedAt: Date
}

export async function insertClosedHour(db: Db, hour: ClosedHour): Promise<void> {
  await db
    .insertInto('usage_closed_hour')
    .values({
      account_id: hour.accountId,
      hour_at: hour.hourAt.toISOString(),
      requests: hour.requests,
      root: hour.root,
      lines: JSON.stringify(hour.lines),
      closed_at: hour.closedAt.toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
