import type { PushMessage } from '@tapeline/contracts/identity/push'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { encrypt } from '@tapeline/service/encryption'
import type { Tables } from '../tables.ts'
import { insertPushes, listActiveSubscriptions } from './push-queries.ts'

export const PUSH_PURPOSE = 'what a push says'

/**
 * Saves a push for each browser of a user in the transaction of its cause.
 * @returns the number of browsers
 */
export async function recordPushes(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'secret'>,
  userId: string,
  message: PushMessage,
): Promise<number> {
  const subscriptions = await listActiveSubscriptions(trx, userId, deps.now())
  if (subscriptions.length === 0) return 0
  const sealed = encrypt({ secret: deps.secret, purpose: PUSH_PURPOSE }, JSON.stringify(message))
  const rows = subscriptions.map((subscription_id) => ({
    id: deps.newId(),
    subscription_id,
    sealed_message: sealed,
    created_at: deps.now(),
  }))
  await insertPushes(trx, rows)
  return rows.length
}
