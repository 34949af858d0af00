import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { SigningKeyTable, Tables } from '../tables.ts'

export type SigningKeyRow = Selectable<SigningKeyTable>
export type NewSigningKeyRow = Insertable<SigningKeyTable>

const KEYS_MAX = 10

/** Serializes the creation of keys until the transaction ends. */
export async function lockSigningKeys(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tapeline-signing-keys'))`.execute(trx)
}

/** No owner: the keys belong to the platform. Newest first. */
export function listSigningKeys(db: Kysely<Tables>): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_key').selectAll().orderBy('signs_from', 'desc').limit(KEYS_MAX).execute()
}

export async function insertSigningKey(trx: Transaction<Tables>, row: NewSigningKeyRow): Promise<void> {
  await trx.insertInto('signing_key').values(row).execute()
}

/** Keys whose successor has been signing since before `at`. */
export async function deleteSupersededSigningKeys(trx: Transaction<Tables>, at: Date): Promise<void> {
  await trx
    .deleteFrom('signing_key')
    .where('signs_from', '<', (eb) =>
      eb
        .selectFrom('signing_key')
        .select((max) => max.fn.max('signs_from').as('signs_from'))
        .where('signs_from', '<=', at),
    )
    .execute()
}
