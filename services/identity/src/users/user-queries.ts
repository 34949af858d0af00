import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Role } from '@tapeline/contracts/actor'
import type { Tables, UserTable } from '../tables.ts'

export type UserRow = Selectable<UserTable>
export type NewUserRow = Insertable<UserTable>

export const EMAIL_CONSTRAINT = 'user_account_email_key'

export function findUser(db: Kysely<Tables>, userId: string): Promise<UserRow | undefined> {
  return db.selectFrom('user_account').selectAll().where('id', '=', userId).executeTakeFirst()
}

/** No owner: used to authenticate. */
export function findUserByEmail(db: Kysely<Tables>, emailCanonical: string): Promise<UserRow | undefined> {
  return db.selectFrom('user_account').selectAll().where('email_canonical', '=', emailCanonical).executeTakeFirst()
}

export function lockUser(trx: Transaction<Tables>, userId: string): Promise<UserRow | undefined> {
  return trx.selectFrom('user_account').selectAll().where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
}

/** No owner: being the last admin depends on all of them. */
export async function lockActiveAdmins(trx: Transaction<Tables>): Promise<string[]> {
  const rows = await trx
    .selectFrom('user_account')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Fields that gateways cache. */
export async function updateUser(
  trx: Transaction<Tables>,
  { id, role, status, not_before, version, deletion_due_at, can_return }: UserRow,
): Promise<void> {
  await trx
    .updateTable('user_account')
    .set({ role, status, not_before, version, deletion_due_at, can_return })
    .where('id', '=', id)
    .execute()
}

/** Fields that gateways do not cache. */
export async function updateProfileFields(
  trx: Transaction<Tables>,
  userId: string,
  fields: Updateable<UserTable>,
): Promise<void> {
  await trx.updateTable('user_account').set(fields).where('id', '=', userId).execute()
}

/** Another account has this e-mail address. */
export class EmailTaken extends Error {}

/** Without a failing statement, because PostgreSQL logs the address of a violated constraint. */
export async function insertUser(trx: Transaction<Tables>, row: NewUserRow): Promise<UserRow> {
  const inserted = await trx
    .insertInto('user_account')
    .values(row)
    .onConflict((conflict) => conflict.constraint(EMAIL_CONSTRAINT).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (inserted === undefined) throw new EmailTaken()
  return inserted
}

export async function markSignedIn(trx: Transaction<Tables>, userId: string, at: Date): Promise<void> {
  await trx.updateTable('user_account').set({ last_login_at: at }).where('id', '=', userId).execute()
}

/** Replaces only the hash that was verified: false when the password has changed in the meantime. */
export async function replacePasswordHash(
  db: Kysely<Tables>,
  userId: string,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_account')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', 'is not distinct from', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the new version and locks the user until the transaction ends. */
export async function raiseUserVersion(trx: Transaction<Tables>, userId: string): Promise<number> {
  const { version } = await trx
    .updateTable('user_account')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', userId)
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

export type Share = { roles: readonly Role[]; key: string; percent: number }

/**
 * No owner: only a number. An account's position is the first 32 bits of a SHA-256, as in
 * libs/service/src/settings/flag-rules.ts.
 */
export async function countAccountsInShare(
  db: Kysely<Tables>,
  { roles, key, percent }: Share,
): Promise<{ accounts: number; of: number }> {
  const place = sql<number>`('x' || left(encode(sha256(convert_to(${`${key}:`} || id::text, 'UTF8')), 'hex'), 8))::bit(32)::bigint / 4294967296.0 * 100`
  const { accounts, of } = await db
    .selectFrom('user_account')
    .select(({ fn }) => [
      fn
        .countAll<string>()
        .filterWhere(sql<boolean>`${percent}::float8 >= 100 or ${place} < ${percent}::float8`)
        .as('accounts'),
      fn.countAll<string>().as('of'),
    ])
    .where('status', '=', 'active')
    .where('role', 'in', roles)
    .executeTakeFirstOrThrow()
  return { accounts: Number(accounts), of: Number(of) }
}
