import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { blankKeysOf, deleteNetworksOf, deleteUsesOf } from './removal-queries.ts'
import { deleteAnswersOf } from '../idempotency/idempotency-queries.ts'
import type { Tables } from '../tables.ts'

/**
 * Of somebody who is gone, keys keep only what lets gateways refuse them, for the month that every deleted key is kept.
 * Safe to run twice: the second run finds nothing to take away.
 */
export async function forgetKeysOfUser(
  { now }: Pick<Deps, 'now'>,
  trx: Transaction<Tables>,
  userId: string,
): Promise<void> {
  await blankKeysOf(trx, userId, now())
  await deleteUsesOf(trx, userId)
  await deleteNetworksOf(trx, userId)
  await deleteAnswersOf(trx, userId)
}
