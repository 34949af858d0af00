import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { pushUnsubscribed } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'

type Unsubscribed = { userId: string; subscriptionId: string; reason: 'unsubscribed' | 'gone' }

/** Records `identity.push-unsubscribed.v1` in the transaction of the change. */
export async function announceUnsubscribed(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId'>,
  actor: Actor,
  { userId, subscriptionId, reason }: Unsubscribed,
): Promise<void> {
  const event = newEvent(pushUnsubscribed, {
    id: deps.newId(),
    time: deps.now(),
    subject: userId,
    account: userId,
    actor,
    data: { user_id: userId, subscription_id: subscriptionId, reason },
  })
  await recordEvent(trx, event)
}
