import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { readSubscription } from './read-subscription.ts'
import { findSubscription } from './subscription-queries.ts'

/**
 * For admins. An unknown id is looked up at identity, so that a typing error does not create a subscription.
 * @throws AppError subscription.not_found
 */
export async function showSubscription(
  deps: Pick<Deps, 'db' | 'now' | 'findEmailState'>,
  accountId: string,
): Promise<SubscriptionRecord> {
  const exists = (await findSubscription(deps.db, accountId)) !== undefined
  if (!exists && (await deps.findEmailState(accountId)) === undefined) {
    throw new AppError('subscription.not_found', 'There is no such account.')
  }
  return readSubscription(deps, accountId)
}
