import type { Transaction } from 'kysely'
import type { Tables } from './tables.ts'
import { deleteSettingsOf } from './settings/settings-queries.ts'
import { deletePlanOf } from './subscriptions/subscription-queries.ts'

/** Deletes the plan and the settings of a deleted account. Idempotent: a second run finds nothing. */
export async function eraseAccount(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await deletePlanOf(trx, accountId)
  await deleteSettingsOf(trx, accountId)
}
