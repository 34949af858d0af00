import type { UserActor } from '@tapeline/contracts/actor'
import type { SetPlan } from '@tapeline/contracts/config/plans'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { setSubscription, type SubscriptionAnswer } from './set-subscription.ts'
import { showSubscription } from './show-subscription.ts'

/**
 * Sets an account's tier or custom limits, for admins.
 * @throws AppError when the account does not exist or the version has changed
 */
export async function setPlan(
  deps: Deps,
  actor: UserActor,
  accountId: string,
  { tier, rateLimits, version, reason }: SetPlan,
): Promise<SubscriptionAnswer> {
  if (tier === undefined && rateLimits === undefined) {
    throw new AppError('request.invalid', 'Specify a tier, or custom limits, for the account.', {
      errors: [{ field: '/tier', message: 'tier or rateLimits is required' }],
    })
  }
  await showSubscription(deps, accountId)
  return setSubscription(deps, actor, {
    account_id: accountId,
    ...(tier === undefined ? {} : { tier }),
    ...(rateLimits === undefined ? {} : { rate_limits: rateLimits }),
    ...(version === undefined ? {} : { version }),
    ...(reason === undefined ? {} : { reason }),
  })
}
