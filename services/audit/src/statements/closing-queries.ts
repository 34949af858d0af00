import type { StatementLine, StatementRow } from '@tapeline/contracts/audit/statements'
import { type Kysely, sql, type Transaction } from 'kysely'
import { fromEach, isOfAccount, type Source } from '../request-log/source-queries.ts'
import { bytesArray, instantArray, textArray, uuidArray } from '../rollups/binary-array.ts'
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

/** The first hour with usage, from the table that has an index by time. */
export async function findFirstHour(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('usage_hour')
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

/** A row that arrived after its hour was closed. `leaf` and `line`: what a statement has of it, without the row. */
export type Correction = {
  id: string
  accountId: string
  hourAt: Date
  time: string
  leaf: Buffer
  line: Omit<StatementLine, 'day'>
}

export async function insertCorrections(trx: Trx, late: readonly Correction[], at: Date): Promise<void> {
  await sql`
    insert into usage_correction (id, account_id, hour_at, time, leaf, line, recorded_at)
    select id, account_id, hour_at, time::timestamptz, leaf, line::jsonb, ${at.toISOString()}::timestamptz from unnest(
      ${uuidArray(late.map(({ id }) => id))}::uuid[],
      ${uuidArray(late.map(({ accountId }) => accountId))}::uuid[],
      ${instantArray(late.map(({ hourAt }) => hourAt.getTime()))}::timestamptz[],
      ${textArray(late.map(({ time }) => time))}::text[],
      ${bytesArray(late.map(({ leaf }) => leaf))}::bytea[],
      ${textArray(late.map(({ line }) => JSON.stringify(line)))}::text[])
      as t (id, account_id, hour_at, time, leaf, line)
    on conflict do nothing`.execute(trx)
}

/** Null: recorded by a release that kept nothing. */
export type CorrectionLeaf =
  | { id: string; time: string; leaf: Buffer; line: Omit<StatementLine, 'day'> }
  | { id: string; time: null; leaf: null; line: null }

/** What the corrections of an account's hour keep: first those that keep nothing, then in the order of the leaves. */
export async function listCorrectionLeaves(
  db: Db,
  { accountId, hourAt, months }: Required<Omit<RowSet, 'kind'>>,
  after: CorrectionLeaf | undefined,
  limit: number,
): Promise<CorrectionLeaf[]> {
  const { rows } = await sql<CorrectionLeaf>`
    select id, ${TIME} as time, leaf, line from usage_correction e
    where account_id = ${accountId}::uuid and hour_at = ${hourAt.toISOString()}::timestamptz
      and recorded_at >= ${months.from.toISOString()}::timestamptz
      and recorded_at < ${months.to.toISOString()}::timestamptz and ${isAfter(after)}
    order by e.time nulls first, e.id limit ${limit}`.execute(db)
  return rows
}

/**
 * From the sums, which are far fewer than the rows and are written with them. No owner in the condition: the job closes an hour for
 * all accounts.
 */
export async function listAccountsOfHour(db: Db, hourAt: Date): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from usage_hour where bucket_at = ${hourAt.toISOString()}::timestamptz
    order by account_id`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Rows of an hour: those that it had when it was closed, or those that arrived later. */
export type RowSet = { accountId: string; hourAt: Date; kind: 'hour' | 'correction'; months?: { from: Date; to: Date } }

const TIME = sql`to_char(time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const LEAF = sql`id, ${TIME} as time, request_id, account_id, key_id,
  method, route, status, outcome, verdict, bytes_out::float8 as bytes_out,
  coalesce(rows_returned, 0)::float8 as rows_returned`

function isAfter(last: { time: string | null; id: string } | undefined) {
  return last === undefined ? sql`true` : sql`(time, id) > (${last.time}::timestamptz, ${last.id}::uuid)`
}

/** Rows of the log by their ids. The caller recorded them between the two times, and names no owner. */
export async function listLeafRowsOf(trx: Trx, ids: readonly string[], from: Date, to: Date): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select ${LEAF} from request_log_row e
    where id = any(${uuidArray(ids)}::uuid[])
      and time >= ${from.toISOString()}::timestamptz and time <= ${to.toISOString()}::timestamptz`.execute(trx)
  return rows
}

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
      and ${isAfter(after)}
    order by time, id limit ${limit}`
  const { rows } = await sql<StatementRow>`
    select ${LEAF} from (${fromEach(rowsOf)}) e
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
