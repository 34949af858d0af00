import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { UsageAlertTable } from '../account-tables.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
export type AlertRow = Selectable<UsageAlertTable>

/** Alerts of an account are created one after another, so that their maximum cannot be exceeded. */
export async function lockAlertCreations(trx: Trx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('usage_alert ' || ${accountId}, 0))`.execute(trx)
}

/** Oldest first. */
export function listAlertRows(db: Db, accountId: string): Promise<AlertRow[]> {
  return db
    .selectFrom('usage_alert')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function listActiveAlerts(db: Db, accountIds: readonly string[]): Promise<AlertRow[]> {
  return db
    .selectFrom('usage_alert')
    .selectAll()
    .where('account_id', '=', sql<string>`any(${[...accountIds]}::uuid[])`)
    .where('active', '=', true)
    .orderBy('id')
    .execute()
}

export function insertAlert(trx: Trx, row: Insertable<UsageAlertTable>): Promise<AlertRow> {
  return trx.insertInto('usage_alert').values(row).returningAll().executeTakeFirstOrThrow()
}

export function lockAlert(trx: Trx, accountId: string, id: string): Promise<AlertRow | undefined> {
  return trx
    .selectFrom('usage_alert')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function updateAlert(
  trx: Trx,
  { account_id, id }: Pick<AlertRow, 'account_id' | 'id'>,
  fields: Updateable<UsageAlertTable>,
): Promise<AlertRow> {
  return trx
    .updateTable('usage_alert')
    .set(fields)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function deleteAlertRow(trx: Trx, accountId: string, id: string): Promise<AlertRow | undefined> {
  return trx
    .deleteFrom('usage_alert')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
