import type { Kysely, Selectable, Transaction } from 'kysely'
import type { EmailLinkTable, Tables } from '../tables.ts'

type Purpose = Selectable<EmailLinkTable>['purpose']
export type NewEmailLink = {
  hash: Buffer
  userId: string
  purpose: Purpose
  email: string
  at: Date
  expiresAt: Date
}

/** A purpose has only its newest link. */
export async function replaceEmailLink(
  db: Kysely<Tables>,
  { hash, userId, purpose, email, at, expiresAt }: NewEmailLink,
): Promise<void> {
  const link = { hash, email, created_at: at, expires_at: expiresAt }
  await db
    .insertInto('email_link')
    .values({ ...link, user_id: userId, purpose })
    .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet(link))
    .execute()
}

type LinkFilter = { hash: Buffer; purpose: Purpose; at: Date }

/** No owner: the link identifies the account. */
export function findEmailLinkOwner(
  db: Kysely<Tables>,
  { hash, purpose, at }: LinkFilter,
): Promise<{ user_id: string } | undefined> {
  return db
    .selectFrom('email_link')
    .select('user_id')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .executeTakeFirst()
}

/** Deletes the link and returns the address that it verifies; undefined when another transaction used it. */
export function deleteEmailLink(
  trx: Transaction<Tables>,
  userId: string,
  { hash, purpose, at }: LinkFilter,
): Promise<{ email: string } | undefined> {
  return trx
    .deleteFrom('email_link')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .returning('email')
    .executeTakeFirst()
}

export function findEmailLinkOf(
  db: Kysely<Tables>,
  userId: string,
  purpose: Purpose,
): Promise<{ hash: Buffer; created_at: Date } | undefined> {
  return db
    .selectFrom('email_link')
    .select(['hash', 'created_at'])
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
}

/** Links of one purpose, or all. */
export async function deleteEmailLinksOf(trx: Transaction<Tables>, userId: string, purpose?: Purpose): Promise<void> {
  await trx
    .deleteFrom('email_link')
    .where('user_id', '=', userId)
    .$if(purpose !== undefined, (links) => links.where('purpose', '=', purpose ?? 'change'))
    .execute()
}

/** No owner: the job deletes all expired links. */
export async function deleteExpiredEmailLinks(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('email_link').where('expires_at', '<', before).execute()
}
