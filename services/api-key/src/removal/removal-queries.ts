import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>
/** A removed secret and its owner. */
export type RemovedKid = { kid: string; user_id: string }

/** No owner in the condition: the job removes keys of all users that were deleted before `before`. */
export async function lockKeysDeletedBefore(trx: Trx, before: Date, limit: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('api_key')
    .select('id')
    .where('state', '=', 'deleted')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/** No owner in the condition: the caller has locked these keys. */
export function deleteSecretsOf(trx: Trx, keyIds: string[]): Promise<(RemovedKid & { key_id: string })[]> {
  return trx
    .deleteFrom('api_key_secret')
    .using('api_key')
    .whereRef('api_key.id', '=', 'api_key_secret.key_id')
    .where('api_key_secret.key_id', 'in', keyIds)
    .returning(['api_key_secret.kid', 'api_key.user_id', 'api_key.id as key_id'])
    .execute()
}

/** Deletes keys with their uses and networks. No owner in the condition: the caller has locked these keys. */
export async function deleteKeys(trx: Trx, keyIds: string[]): Promise<void> {
  await trx.deleteFrom('api_key').where('id', 'in', keyIds).execute()
}

/** No owner in the condition: no gateway can have cached a secret that ended so long ago. */
export function deleteSecretsEndedBefore(db: Kysely<Tables>, before: Date): Promise<RemovedKid[]> {
  return db
    .deleteFrom('api_key_secret')
    .using('api_key')
    .whereRef('api_key.id', '=', 'api_key_secret.key_id')
    .where('api_key_secret.ends_at', '<', before)
    .returning(['api_key_secret.kid', 'api_key.user_id'])
    .execute()
}

/** Deletes names, descriptions, tags, notes and external ids of a user's keys, including deleted ones. */
export async function blankKeysOf(trx: Trx, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('api_key')
    .set((eb) => ({
      name: 'deleted',
      description: null,
      networks: [],
      rate_limits: null,
      shadow_limits: null,
      tags: [],
      owner_note: null,
      external_id: null,
      state: 'deleted' as const,
      deleted_at: eb.fn.coalesce('deleted_at', eb.val(at)),
    }))
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteUsesOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('api_key_use')
    .using('api_key')
    .whereRef('api_key.id', '=', 'api_key_use.key_id')
    .where('api_key.user_id', '=', userId)
    .execute()
}

export async function deleteNetworksOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('api_key_network')
    .using('api_key')
    .whereRef('api_key.id', '=', 'api_key_network.key_id')
    .where('api_key.user_id', '=', userId)
    .execute()
}
