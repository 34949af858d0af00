import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/** No owner: the job deletes all accounts that are due, longest overdue first. */
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

/** Dependent rows in this database are deleted by cascade. */
export async function deleteUser(trx: Transaction<Tables>, userId: string): Promise<void> {
  await trx.deleteFrom('user_account').where('id', '=', userId).execute()
}
