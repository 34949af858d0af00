import { deleteDeadLettersOf } from '@tapeline/events/dead-letters/dead-letter-queries'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { blankKeysOf, deleteNetworksOf, deleteUsesOf } from './removal-queries.ts'
import { deleteAnswersOf } from '../idempotency/idempotency-queries.ts'
import { deleteLeakPolicyOf } from '../leaks/leak-queries.ts'
import type { Tables } from '../tables.ts'

/**
 * Deletes the personal data in a deleted account's keys. What gateways need to reject them is kept for 31 days, as
 * for every deleted key. Idempotent: a second run finds nothing to remove.
 */
export async function erasePersonalData(
  { now }: Pick<Deps, 'now'>,
  trx: Transaction<Tables>,
  userId: string,
): Promise<void> {
  await blankKeysOf(trx, userId, now())
  await deleteUsesOf(trx, userId)
  await deleteNetworksOf(trx, userId)
  await deleteAnswersOf(trx, userId)
  await deleteLeakPolicyOf(trx, userId)
  await deleteDeadLettersOf(trx, userId)
}
