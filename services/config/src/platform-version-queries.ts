import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** The next version of flags and configurations. Called first in a transaction, because it serializes their changes. */
export async function nextPlatformVersion(trx: Transaction<Tables>): Promise<number> {
  const { version } = await trx
    .updateTable('platform_version')
    .set((row) => ({ version: row('version', '+', 1), revision: sql`gen_random_uuid()` }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

export function findPlatformVersion(db: Kysely<Tables>): Promise<{ version: number; revision: string }> {
  return db.selectFrom('platform_version').select(['version', 'revision']).executeTakeFirstOrThrow()
}
