import { type Kysely, sql } from 'kysely'
import { fromEach, isOfAccount, isRequest } from '../request-log/source-queries.ts'
import type { Tables } from '../tables.ts'
import type { HourLine } from './read-leaves.ts'

type Db = Kysely<Tables>
export type MonthRange = { from: Date; to: Date }

export async function listClosedHours(db: Db, accountId: string, { from, to }: MonthRange) {
  return db
    .selectFrom('usage_closed_hour')
    .select(['hour_at', 'requests', 'root', 'lines'])
    .where('account_id', '=', accountId)
    .where('hour_at', '>=', from)
    .where('hour_at', '<', to)
    .orderBy('hour_at')
    .execute() as Promise<{ hour_at: Date; requests: string; root: Buffer; lines: HourLine[] }[]>
}

/** Hours with corrections that were recorded in the range. */
export async function listCorrectedHours(db: Db, accountId: string, { from, to }: MonthRange): Promise<Date[]> {
  const rows = await db
    .selectFrom('usage_correction')
    .select('hour_at')
    .distinct()
    .where('account_id', '=', accountId)
    .where('recorded_at', '>=', from)
    .where('recorded_at', '<', to)
    .orderBy('hour_at')
    .execute()
  return rows.map(({ hour_at }) => hour_at)
}

export async function findStatement(db: Db, accountId: string, month: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('usage_statement')
    .select('document')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`month = ${`${month}-01`}::date`)
    .executeTakeFirst()
  return row?.document
}

export async function insertStatement(
  db: Db,
  statement: { accountId: string; month: string; document: string; issuedAt: Date },
): Promise<void> {
  await db
    .insertInto('usage_statement')
    .values({
      account_id: statement.accountId,
      month: `${statement.month}-01`,
      document: statement.document,
      issued_at: statement.issuedAt.toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Months with closed usage or corrections, newest first. */
export async function listMonths(db: Db, accountId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(month, 'YYYY-MM') as month from (
      select date_trunc('month', hour_at at time zone 'utc') as month from usage_closed_hour
        where account_id = ${accountId}::uuid
      union
      select date_trunc('month', recorded_at at time zone 'utc') from usage_correction
        where account_id = ${accountId}::uuid
    ) as months order by month desc limit ${limit}`.execute(db)
  return rows.map(({ month }) => month)
}

/** No owner in the condition: the job issues the statements of all accounts that have none for the month yet. */
export async function listWithoutStatement(
  db: Db,
  { from, to }: MonthRange,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from (
      select account_id from usage_closed_hour
        where hour_at >= ${from.toISOString()}::timestamptz and hour_at < ${to.toISOString()}::timestamptz
      union
      select account_id from usage_correction
        where recorded_at >= ${from.toISOString()}::timestamptz and recorded_at < ${to.toISOString()}::timestamptz
    ) as a
    where ${after === undefined ? sql`true` : sql`account_id > ${after}::uuid`} and not exists (select 1 from usage_statement s
      where s.account_id = a.account_id and s.month = (${from.toISOString()}::timestamptz at time zone 'utc')::date)
    order by account_id limit ${limit}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

export type RequestPlace = { hour_at: Date; recorded_at: Date | null }

/** When a row became a correction; null: it did not. */
export async function findCorrectedAt(db: Db, id: string): Promise<Date | null> {
  const row = await db.selectFrom('usage_correction').select('recorded_at').where('id', '=', id).executeTakeFirst()
  return row?.recorded_at ?? null
}

/** The hour of a request in the log, and when it was recorded as a correction. */
export async function findRequestHour(db: Db, accountId: string, requestId: string): Promise<RequestPlace | undefined> {
  const { rows } = await sql<RequestPlace>`
    select date_trunc('hour', e.time, 'UTC') as hour_at, c.recorded_at
    from (${fromEach(
      (source) => sql`
        select id, time from ${sql.table(source)} where ${isOfAccount(source, accountId)} and ${isRequest(source, requestId)}`,
    )}) e
    left join usage_correction c on c.id = e.id
    limit 1`.execute(db)
  return rows[0]
}
