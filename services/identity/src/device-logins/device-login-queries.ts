import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { DeviceLoginTable, Tables } from '../tables.ts'

export type DeviceLoginRow = Selectable<DeviceLoginTable>

/** False if the user code is already in use. */
export async function insertDeviceLogin(db: Kysely<Tables>, row: Insertable<DeviceLoginTable>): Promise<boolean> {
  const inserted = await db
    .insertInto('device_login')
    .values(row)
    .onConflict((conflict) => conflict.column('user_code').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** No owner: before the decision a code belongs to no account. */
export function findWaitingDeviceLogin(
  db: Kysely<Tables>,
  userCode: string,
  at: Date,
): Promise<DeviceLoginRow | undefined> {
  return db
    .selectFrom('device_login')
    .selectAll()
    .where('user_code', '=', userCode)
    .where('expires_at', '>', at)
    .where('is_approved', 'is', null)
    .executeTakeFirst()
}

/** Undefined when no device waits with this code: it is decided once. */
export function markDeviceLoginDecided(
  trx: Transaction<Tables>,
  userId: string,
  { userCode, sessionId, isApproved, at }: { userCode: string; sessionId: string; isApproved: boolean; at: Date },
): Promise<Pick<DeviceLoginRow, 'client_name' | 'network'> | undefined> {
  return trx
    .updateTable('device_login')
    .set({ user_id: userId, session_id: sessionId, is_approved: isApproved, decided_at: at })
    .where('user_code', '=', userCode)
    .where('expires_at', '>', at)
    .where('is_approved', 'is', null)
    .returning(['client_name', 'network'])
    .executeTakeFirst()
}

/** No owner: the secret of the device identifies it. */
export function lockDeviceLogin(trx: Transaction<Tables>, hash: Buffer): Promise<DeviceLoginRow | undefined> {
  return trx.selectFrom('device_login').selectAll().where('device_code_hash', '=', hash).forUpdate().executeTakeFirst()
}

/** No owner: see `lockDeviceLogin`. */
export async function deleteDeviceLogin(trx: Transaction<Tables>, hash: Buffer): Promise<void> {
  await trx.deleteFrom('device_login').where('device_code_hash', '=', hash).execute()
}

/** No owner: a job over all accounts. Returns how many were deleted. */
export async function deleteExpiredDeviceLogins(db: Kysely<Tables>, at: Date): Promise<number> {
  const deleted = await db.deleteFrom('device_login').where('expires_at', '<=', at).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
