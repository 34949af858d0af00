import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { Tables, UserSettingsTable } from '../tables.ts'

export type UserSettingsRow = Selectable<UserSettingsTable>

export function findNewestSettings(db: Kysely<Tables>, accountId: string): Promise<UserSettingsRow | undefined> {
  return db
    .selectFrom('user_settings')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findSettings(
  db: Kysely<Tables>,
  accountId: string,
  version: number,
): Promise<UserSettingsRow | undefined> {
  return db
    .selectFrom('user_settings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('version', '=', version)
    .executeTakeFirst()
}

export async function insertSettings(trx: Transaction<Tables>, row: Insertable<UserSettingsTable>): Promise<void> {
  await trx.insertInto('user_settings').values(row).execute()
}

export async function deleteSettingsOf(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await trx.deleteFrom('user_settings').where('account_id', '=', accountId).execute()
}

export async function deleteSettingsUpTo(trx: Transaction<Tables>, accountId: string, version: number): Promise<void> {
  await trx.deleteFrom('user_settings').where('account_id', '=', accountId).where('version', '<=', version).execute()
}
