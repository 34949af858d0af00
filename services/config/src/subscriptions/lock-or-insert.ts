import type { Transaction } from 'kysely'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { newSubscription } from './new-subscription.ts'
import { insertSubscriptionIfAbsent, lockSubscription } from './subscription-queries.ts'

/** An account's subscription, for a change; an account that was never asked for gets its first one here. */
export async function lockOrInsert(trx: Transaction<Tables>, accountId: string, now: Date): Promise<SubscriptionRow> {
  await insertSubscriptionIfAbsent(trx, { ...newSubscription(accountId, now), rate_limits: null })
  return lockSubscription(trx, accountId)
}
