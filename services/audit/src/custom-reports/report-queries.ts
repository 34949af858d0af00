import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { CustomReportTable } from '../account-tables.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
export type ReportRow = Selectable<CustomReportTable>

/** Serializes the creations of an account, so that its maximum cannot be exceeded. */
export async function lockCreations(trx: Trx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('custom_report ' || ${accountId}, 0))`.execute(trx)
}

/** Oldest first. */
export function listReportRows(db: Db, accountId: string): Promise<ReportRow[]> {
  return db
    .selectFrom('custom_report')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findReport(db: Db, accountId: string, id: string): Promise<ReportRow | undefined> {
  return db
    .selectFrom('custom_report')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockReport(trx: Trx, accountId: string, id: string): Promise<ReportRow | undefined> {
  return trx
    .selectFrom('custom_report')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function insertReport(trx: Trx, row: Insertable<CustomReportTable>): Promise<ReportRow> {
  return trx.insertInto('custom_report').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateReport(
  trx: Trx,
  { account_id, id }: Pick<ReportRow, 'account_id' | 'id'>,
  fields: Updateable<CustomReportTable>,
): Promise<ReportRow> {
  return trx
    .updateTable('custom_report')
    .set(fields)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteReportRow(trx: Trx, accountId: string, id: string): Promise<ReportRow | undefined> {
  return trx
    .deleteFrom('custom_report')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export type DuePlace = { next_at: Date; id: string }

/** No owner: the job makes all due reports. Earliest first, after the previous page's last one. */
export function listDueReports(
  db: Db,
  now: Date,
  { limit, after }: { limit: number; after: DuePlace | undefined },
): Promise<ReportRow[]> {
  return db
    .selectFrom('custom_report')
    .selectAll()
    .where('active', '=', true)
    .where('next_at', '<=', now)
    .$if(after !== undefined, (due) =>
      due.where(sql<boolean>`(next_at, id) > (${after?.next_at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
