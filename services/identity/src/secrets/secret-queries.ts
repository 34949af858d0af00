import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
/** `before`: the row may have changed since it was read; then it has the newest secret already. */
type Replacement = { before: Buffer; after: Buffer }

/** No owner, as in all of these: a secret is replaced for the whole platform. Ordered by id. */
export function listSealedSubscriptions(db: Db, after: string | undefined, limit: number) {
  return db
    .selectFrom('push_subscription')
    .select(['id', 'sealed_subscription as sealed'])
    .$if(after !== undefined, (rows) => rows.where('id', '>', String(after)))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function replaceSubscription(db: Db, id: string, { before, after }: Replacement): Promise<void> {
  await db
    .updateTable('push_subscription')
    .set({ sealed_subscription: after })
    .where('id', '=', id)
    .where('sealed_subscription', '=', before)
    .execute()
}

/** An account has at most one provider identity. Ordered by account. */
export function listSealedTokens(db: Db, after: string | undefined, limit: number) {
  return db
    .selectFrom('provider_identity')
    .select(['user_id as id', 'issuer', 'subject', 'sealed_token as sealed'])
    .$if(after !== undefined, (rows) => rows.where('user_id', '>', String(after)))
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

export async function replaceSealedToken(db: Db, userId: string, { before, after }: Replacement): Promise<void> {
  await db
    .updateTable('provider_identity')
    .set({ sealed_token: after })
    .where('user_id', '=', userId)
    .where('sealed_token', '=', before)
    .execute()
}

/** Grants of deleted accounts. Ordered by id. */
export function listSealedGrants(db: Db, after: string | undefined, limit: number) {
  return db
    .selectFrom('grant_to_revoke')
    .select(['id', 'sealed_token as sealed'])
    .$if(after !== undefined, (rows) => rows.where('id', '>', String(after)))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function replaceGrant(db: Db, id: string, { before, after }: Replacement): Promise<void> {
  await db
    .updateTable('grant_to_revoke')
    .set({ sealed_token: after })
    .where('id', '=', id)
    .where('sealed_token', '=', before)
    .execute()
}

/** The generated push signing key: at most one row. */
export async function listSealedVapidKeys(db: Db) {
  return db.selectFrom('vapid_key').select(['public_key as id', 'sealed_private_key as sealed']).execute()
}

export async function replaceVapidKey(db: Db, publicKey: string, { before, after }: Replacement): Promise<void> {
  await db
    .updateTable('vapid_key')
    .set({ sealed_private_key: after })
    .where('public_key', '=', publicKey)
    .where('sealed_private_key', '=', before)
    .execute()
}
