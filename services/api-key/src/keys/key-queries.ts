import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyKind } from '@tapeline/contracts/api-key/http'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { ApiKeyRow, ApiKeySecretTable, ApiKeyTable, Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
/** Whose keys are read. A caller with a key (`keyId`) cannot read service keys, including its own. */
export type Viewer = Pick<UserActor, 'userId'> & Partial<Pick<UserActor, 'keyId'>>
export type NewKeyRow = Insertable<ApiKeyTable>

/** Serializes creations per user: two concurrent ones could both take the last free slot. */
export async function lockKeysOfUser(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys of ${userId}`}, 0))`.execute(trx)
}

/** Keys of one kind: not revoked ones, and all that lists show. */
export async function countKeys(
  trx: Trx,
  userId: string,
  kind: KeyKind,
): Promise<{ unrevoked: number; listed: number }> {
  return trx
    .selectFrom('api_key')
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere('state', '!=', 'revoked').$castTo<string>().as('unrevoked'),
      fn.countAll<string>().as('listed'),
    ])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('state', '!=', 'deleted')
    .executeTakeFirstOrThrow()
    .then(({ unrevoked, listed }) => ({ unrevoked: Number(unrevoked), listed: Number(listed) }))
}

export async function insertKey(trx: Trx, key: NewKeyRow): Promise<void> {
  await trx.insertInto('api_key').values(key).execute()
}

export async function insertSecret(trx: Trx, secret: Insertable<ApiKeySecretTable>): Promise<void> {
  await trx.insertInto('api_key_secret').values(secret).execute()
}

function keysOfUser(db: Db, { userId, keyId = null }: Viewer, now: Date) {
  return db
    .selectFrom('api_key')
    .innerJoin('api_key_secret', (join) =>
      join.onRef('api_key_secret.key_id', '=', 'api_key.id').on('api_key_secret.ends_at', 'is', null),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('api_key_secret as replaced')
          .select(['replaced.kid', 'replaced.ends_at', 'replaced.imported_prefix'])
          .whereRef('replaced.key_id', '=', 'api_key.id')
          .where('replaced.ends_at', '>', now)
          // At most one, also for a process whose clock is behind the one that ended an older secret.
          .orderBy('replaced.ends_at', 'desc')
          .limit(1)
          .as('graced'),
      (join) => join.onTrue(),
    )
    .leftJoin('api_key_use as own_use', 'own_use.kid', 'api_key_secret.kid')
    .leftJoin('api_key_use as graced_use', 'graced_use.kid', 'graced.kid')
    .selectAll('api_key')
    .select([
      'api_key_secret.kid',
      'api_key_secret.imported_prefix',
      'graced.imported_prefix as graced_imported_prefix',
      'own_use.last_used_at as kid_used_at',
      'graced.kid as graced_kid',
      'graced.ends_at as graced_until',
      'graced_use.last_used_at as graced_used_at',
    ])
    .select((eb) =>
      eb
        .selectFrom('api_key_use')
        .select((use) => use.fn.max('api_key_use.last_used_at').as('last'))
        .whereRef('api_key_use.key_id', '=', 'api_key.id')
        .as('last_used_at'),
    )
    .where('api_key.user_id', '=', userId)
    .where('api_key.state', '!=', 'deleted')
    .$if(keyId !== null, (query) => query.where('api_key.kind', '=', 'data'))
}

/** `kind` undefined: keys of all kinds. */
type KeyScan = { kind: KeyKind | undefined; now: Date; limit: number }

/** Newest first. */
export function listKeysOfUser(db: Db, viewer: Viewer, { kind, now, limit }: KeyScan) {
  return keysOfUser(db, viewer, now)
    .$if(kind !== undefined, (query) => query.where('api_key.kind', '=', kind ?? 'data'))
    .orderBy('api_key.created_at', 'desc')
    .orderBy('api_key.id', 'desc')
    .limit(limit)
    .execute()
}

export function findKey(
  db: Db,
  viewer: Viewer,
  { keyId, now }: { keyId: string; now: Date },
): Promise<ApiKeyRow | undefined> {
  return keysOfUser(db, viewer, now).where('api_key.id', '=', keyId).executeTakeFirst()
}

export async function findKeyByExternalId(
  db: Db,
  viewer: Viewer,
  { kind, externalId, now }: { kind: KeyKind; externalId: string; now: Date },
): Promise<ApiKeyRow | undefined> {
  return keysOfUser(db, viewer, now)
    .where('api_key.kind', '=', kind)
    .where('api_key.external_id', '=', externalId)
    .executeTakeFirst()
}

/** Locks the key first and reads its kids afterwards, so that a change committed in between is seen. */
export async function lockKey(
  trx: Trx,
  viewer: Viewer,
  { keyId, now }: { keyId: string; now: Date },
): Promise<ApiKeyRow | undefined> {
  await trx
    .selectFrom('api_key')
    .select('id')
    .where('user_id', '=', viewer.userId)
    .where('id', '=', keyId)
    .forUpdate()
    .execute()
  return findKey(trx, viewer, { keyId, now })
}

/** All keys of a user, including revoked ones, locked in a fixed order to avoid deadlocks. */
export async function lockKeysOfOwner(trx: Trx, userId: string, now: Date): Promise<ApiKeyRow[]> {
  await trx.selectFrom('api_key').select('id').where('user_id', '=', userId).orderBy('id').forUpdate().execute()
  return keysOfUser(trx, { userId }, now).orderBy('api_key.id').execute()
}

export async function changeKey(trx: Trx, key: ApiKeyRow, changes: Updateable<ApiKeyTable>): Promise<void> {
  await trx.updateTable('api_key').set(changes).where('user_id', '=', key.user_id).where('id', '=', key.id).execute()
}

/** No owner in the condition: the caller has locked the key of this kid. */
export async function markSecretEnded(trx: Trx, kid: string, at: Date): Promise<void> {
  await trx.updateTable('api_key_secret').set({ ends_at: at }).where('kid', '=', kid).execute()
}

/** No owner in the condition: the gateway looks up the owner. */
export function findSecret(db: Db, kid: string) {
  return secrets(db).where('api_key_secret.kid', '=', kid).executeTakeFirst()
}

export function listSecrets(db: Db, kids: string[]) {
  return secrets(db).where('api_key_secret.kid', 'in', kids).execute()
}

function secrets(db: Db) {
  return db
    .selectFrom('api_key_secret')
    .innerJoin('api_key', 'api_key.id', 'api_key_secret.key_id')
    .selectAll('api_key')
    .select([
      'api_key_secret.kid',
      'api_key_secret.secret_sha256',
      'api_key_secret.ends_at',
      'api_key_secret.imported_prefix',
    ])
}
