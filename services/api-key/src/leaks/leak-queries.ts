import type { LeakAction } from '@tapeline/contracts/api-key/leaks'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export async function findLeakAction(db: Db, userId: string): Promise<LeakAction | undefined> {
  const row = await db.selectFrom('leak_policy').select('action').where('user_id', '=', userId).executeTakeFirst()
  return row?.action
}

export async function saveLeakAction(trx: Trx, userId: string, { action, at }: { action: LeakAction; at: Date }) {
  await trx
    .insertInto('leak_policy')
    .values({ user_id: userId, action, changed_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ action, changed_at: at }))
    .execute()
}

export async function deleteLeakPolicyOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('leak_policy').where('user_id', '=', userId).execute()
}

/**
 * False when the kid was reported after `since`: its owner has been warned. No owner in the condition: the caller has
 * locked the key of this kid.
 */
export async function recordLeakReport(
  trx: Trx,
  kid: string,
  { at, since }: { at: Date; since: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('leak_report')
    .values({ kid, reported_at: at })
    .onConflict((conflict) =>
      conflict.column('kid').doUpdateSet({ reported_at: at }).where('leak_report.reported_at', '<=', since),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}
