import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { ApiKeyRow, ApiKeySecretTable, ApiKeyTable, Tables } from './tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** One creation at a time per user: two at once could both see the last free slot. */
export async function lockKeysOfUser(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys of ${userId}`}, 0))`.execute(trx)
}

export async function countKeys(trx: Trx, userId: string): Promise<{ living: number; listed: number }> {
  return trx
    .selectFrom('api_key')
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere('state', '!=', 'revoked').$castTo<string>().as('living'),
      fn.countAll<string>().as('listed'),
    ])
    .where('user_id', '=', userId)
    .where('state', '!=', 'deleted')
    .executeTakeFirstOrThrow()
    .then(({ living, listed }) => ({ living: Number(living), listed: Number(listed) }))
}

export async function insertKey(trx: Trx, key: Insertable<ApiKeyTable>): Promise<void> {
  await trx.insertInto('api_key').values(key).execute()
}

export async function insertSecret(trx: Trx, secret: Insertable<ApiKeySecretTable>): Promise<void> {
  await trx.insertInto('api_key_secret').values(secret).execute()
}

function keysOfUser(db: Db, userId: string) {
  return db
    .selectFrom('api_key')
    .innerJoin('api_key_secret', (join) =>
      join.onRef('api_key_secret.key_id', '=', 'api_key.id').on('api_key_secret.ends_at', 'is', null),
    )
    .selectAll('api_key')
    .select('api_key_secret.kid')
    .where('api_key.user_id', '=', userId)
    .where('api_key.state', '!=', 'deleted')
}

/** Newest first. */
export function listKeysOfUser(db: Db, userId: string, limit: number): Promise<ApiKeyRow[]> {
  return keysOfUser(db, userId)
    .orderBy('api_key.created_at', 'desc')
    .orderBy('api_key.id', 'desc')
    .limit(limit)
    .execute()
}

export function findKey(db: Db, userId: string, keyId: string): Promise<ApiKeyRow | undefined> {
  return keysOfUser(db, userId).where('api_key.id', '=', keyId).executeTakeFirst()
}

/** Locks the key first and reads its current kid afterwards, so that a change that just ended is seen. */
export async function lockKey(trx: Trx, userId: string, keyId: string): Promise<ApiKeyRow | undefined> {
  await trx
    .selectFrom('api_key')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', keyId)
    .forUpdate()
    .execute()
  return findKey(trx, userId, keyId)
}

export async function markKeyRevoked(trx: Trx, userId: string, keyId: string, at: Date): Promise<void> {
  await trx
    .updateTable('api_key')
    .set(({ eb }) => ({ state: 'revoked', revoked_at: at, version: eb('version', '+', 1) }))
    .where('user_id', '=', userId)
    .where('id', '=', keyId)
    .execute()
}

export async function markKeyDeleted(trx: Trx, userId: string, keyId: string, at: Date): Promise<void> {
  await trx
    .updateTable('api_key')
    .set(({ eb }) => ({ state: 'deleted', deleted_at: at, version: eb('version', '+', 1) }))
    .where('user_id', '=', userId)
    .where('id', '=', keyId)
    .execute()
}

export async function markKeyRegenerated(trx: Trx, userId: string, keyId: string): Promise<void> {
  await trx
    .updateTable('api_key')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('user_id', '=', userId)
    .where('id', '=', keyId)
    .execute()
}

/** No owner in the condition: the caller holds the lock on the key that this kid belongs to. */
export async function markSecretEnded(trx: Trx, kid: string, at: Date): Promise<void> {
  await trx.updateTable('api_key_secret').set({ ends_at: at }).where('kid', '=', kid).execute()
}

/** No owner in the condition: the gateway asks whose key it is. */
export function findSecret(db: Db, kid: string) {
  return db
    .selectFrom('api_key_secret')
    .innerJoin('api_key', 'api_key.id', 'api_key_secret.key_id')
    .selectAll('api_key')
    .select(['api_key_secret.kid', 'api_key_secret.secret_sha256', 'api_key_secret.ends_at'])
    .where('api_key_secret.kid', '=', kid)
    .executeTakeFirst()
}
