import type { Transaction } from 'kysely'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { newSubscription } from './new-subscription.ts'
import { insertSubscriptionIfAbsent, lockSubscription } from './subscription-queries.ts'

/** Locks an account's subscription for a change; creates it if the account has none yet. */
export async function lockOrInsert(trx: Transaction<Tables>, accountId: string, now: Date): Promise<SubscriptionRow> {
  await insertSubscriptionIfAbsent(trx, { ...newSubscription(accountId, now), rate_limits: null })
  return lockSubscription(trx, accountId)
}
