import type { Deps } from '../deps.ts'
import { decrypt } from '@tapeline/service/encryption'
import { announceUnsubscribed } from './announce-unsubscribed.ts'
import { deleteSubscriptionById, findPush, markPushFailed, markPushSent } from './push-queries.ts'
import type { PostPush } from './push-poster.ts'
import { PUSH_PURPOSE } from './record-pushes.ts'
import { decryptSubscription } from './encrypted-subscription.ts'

type PushDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'secret'>
const SELF = { kind: 'service', service: 'identity' } as const

/**
 * Sends one recorded push. Every attempt has the same topic and `tag`: a repetition after a crash replaces the first
 * message at the push service or on the screen.
 */
export async function sendPush(
  deps: PushDeps,
  post: PostPush,
  pushId: string,
): Promise<'sent' | 'gone' | 'refused' | 'done before'> {
  const row = await findPush(deps.db, pushId)
  if (row === undefined || row.sent_at !== null || row.failed_at !== null) return 'done before'
  const isSignedIn = row.session_ended_at === null && row.session_expires_at > deps.now()
  if (!isSignedIn) return removeSubscription(deps, row.subscription_id)
  const outcome = await post({
    subscription: decryptSubscription(deps.secret, row.sealed_subscription),
    text: decrypt({ secret: deps.secret, purpose: PUSH_PURPOSE }, row.sealed_message),
    topic: row.id.replaceAll('-', ''),
  })
  switch (outcome.is) {
    case 'taken':
      await markPushSent(deps.db, row.id, deps.now())
      return 'sent'
    case 'gone':
      return removeSubscription(deps, row.subscription_id)
    case 'refused':
      await markPushFailed(deps.db, row.id, { at: deps.now(), failure: outcome.why })
      return 'refused'
  }
}

/** Also deletes the browser's waiting pushes. */
async function removeSubscription(deps: PushDeps, subscriptionId: string): Promise<'gone'> {
  await deps.db.transaction().execute(async (trx) => {
    const userId = await deleteSubscriptionById(trx, subscriptionId)
    if (userId !== undefined) {
      await announceUnsubscribed(trx, deps, SELF, { userId, subscriptionId, reason: 'gone' })
    }
  })
  return 'gone'
}
