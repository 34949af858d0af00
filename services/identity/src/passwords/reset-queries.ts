import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

export type NewReset = { hash: Buffer; userId: string; at: Date; expiresAt: Date; provesAddress: boolean }

/** An account has only its newest link. */
export async function replaceReset(
  db: Kysely<Tables>,
  { hash, userId, at, expiresAt, provesAddress }: NewReset,
): Promise<void> {
  const link = { hash, created_at: at, expires_at: expiresAt, proves_address: provesAddress }
  await db
    .insertInto('password_reset')
    .values({ ...link, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute()
}

export type ResetOwner = { id: string; email: string }

/** No owner: the link identifies the account. */
export function findResetOwner(db: Kysely<Tables>, hash: Buffer, at: Date): Promise<ResetOwner | undefined> {
  return db
    .selectFrom('password_reset')
    .innerJoin('user_account', 'user_account.id', 'password_reset.user_id')
    .select(['user_account.id', 'user_account.email'])
    .where('password_reset.hash', '=', hash)
    .where('password_reset.expires_at', '>', at)
    .executeTakeFirst()
}

/** The account's link, unless it has expired. */
export function findResetOf(
  db: Kysely<Tables>,
  userId: string,
  at: Date,
): Promise<{ hash: Buffer; created_at: Date } | undefined> {
  return db
    .selectFrom('password_reset')
    .select(['hash', 'created_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', at)
    .executeTakeFirst()
}

/** No owner: the link identifies the account. Deletes it; undefined when another transaction used it. */
export function deleteReset(
  trx: Transaction<Tables>,
  hash: Buffer,
  at: Date,
): Promise<{ proves_address: boolean } | undefined> {
  return trx
    .deleteFrom('password_reset')
    .where('hash', '=', hash)
    .where('expires_at', '>', at)
    .returning('proves_address')
    .executeTakeFirst()
}

export async function deleteResetOf(trx: Transaction<Tables>, userId: string): Promise<void> {
  await trx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
}

/** No owner: the job deletes all expired links. */
export async function deleteExpiredResets(db: Kysely<Tables>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('password_reset').where('expires_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
