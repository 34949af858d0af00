import type { UserActor } from '@tapeline/contracts/actor'
import type { PushUnsubscribed, UnsubscribeFromPush } from '@tapeline/contracts/identity/push'
import type { Deps } from '../deps.ts'
import { announceUnsubscribed } from './announce-unsubscribed.ts'
import { deleteSubscription } from './push-queries.ts'
import { hashEndpoint } from './encrypted-subscription.ts'

/** Removes a browser and its waiting pushes. Does nothing for another user's or an unknown browser. */
export async function unsubscribeFromPush(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { endpoint }: UnsubscribeFromPush,
): Promise<PushUnsubscribed> {
  const { userId } = actor
  return deps.db.transaction().execute(async (trx) => {
    const subscriptionId = await deleteSubscription(trx, userId, hashEndpoint(endpoint))
    if (subscriptionId === undefined) return { removed: 0 }
    await announceUnsubscribed(trx, deps, actor, { userId, subscriptionId, reason: 'unsubscribed' })
    return { removed: 1 }
  })
}
