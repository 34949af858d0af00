import { deleteDeadLettersOf } from '@tapeline/events/dead-letters/dead-letter-queries'
import type { Transaction } from 'kysely'
import type { Tables } from './tables.ts'
import { deleteSettingsOf } from './settings/settings-queries.ts'
import { deletePlanOf } from './subscriptions/subscription-queries.ts'

/** Deletes the plan, the settings and the dead letters of a deleted account. Idempotent: a second run finds nothing. */
export async function eraseAccount(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await deletePlanOf(trx, accountId)
  await deleteSettingsOf(trx, accountId)
  await deleteDeadLettersOf(trx, accountId)
}
