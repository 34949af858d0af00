import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/** No owner: the clock deletes whoever is due. The longest due first. */
export async function listAccountsDue(db: Kysely<Tables>, at: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('user_account')
    .select('id')
    .where('deletion_due_at', '<=', at)
    .orderBy('deletion_due_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Everything of theirs in this database goes with the row. */
export async function deleteUser(trx: Transaction<Tables>, userId: string): Promise<void> {
  await trx.deleteFrom('user_account').where('id', '=', userId).execute()
}
