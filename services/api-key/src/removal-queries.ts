import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** Everybody's: the caller removes what was deleted long ago. */
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

/** No owner in the condition: the caller holds the locks on these keys. */
export async function deleteSecretsOf(trx: Trx, keyIds: string[]): Promise<void> {
  await trx.deleteFrom('api_key_secret').where('key_id', 'in', keyIds).execute()
}

/** With a key go its uses and its networks. No owner in the condition: the caller holds the locks on these keys. */
export async function deleteKeys(trx: Trx, keyIds: string[]): Promise<void> {
  await trx.deleteFrom('api_key').where('id', 'in', keyIds).execute()
}

/** Everybody's: a gateway cannot hold a secret that ended so long ago. */
export async function deleteSecretsEndedBefore(db: Kysely<Tables>, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('api_key_secret')
    .where('ends_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
