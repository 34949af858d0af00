import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { newSubscription } from './new-subscription.ts'
import { presentSubscription } from './present-subscription.ts'
import { findSubscription, insertSubscriptionIfAbsent } from './subscription-queries.ts'
import type { SubscriptionRow, Tables } from '../tables.ts'

/** Reads a subscription and creates it on first read, so that a new account does not depend on an event. */
export async function readSubscription(deps: Pick<Deps, 'db' | 'now'>, accountId: string): Promise<SubscriptionRecord> {
  return presentSubscription(await findOrInsert(deps.db, accountId, deps.now()))
}

async function findOrInsert(db: Kysely<Tables>, accountId: string, now: Date): Promise<SubscriptionRow> {
  const found = await findSubscription(db, accountId)
  if (found !== undefined) return found
  const row = newSubscription(accountId, now)
  await insertSubscriptionIfAbsent(db, { ...row, rate_limits: null })
  return (await findSubscription(db, accountId)) ?? row
}
