import type { Event } from '@tapeline/contracts/event'
import type { Subscription } from '@tapeline/events/subscription'
import type { Kysely } from 'kysely'

/** Applies an event twice, as the consumer does after a redelivery: handlers must be idempotent. */
export async function deliverTwice<Tables>(
  db: Kysely<Tables>,
  subscriptions: readonly Subscription<Tables>[],
  event: Event<unknown>,
): Promise<void> {
  const own = subscriptions.filter(({ definition }) => definition.type === event.type)
  for (let time = 0; time < 2; time += 1) {
    for (const { prepare } of own) await prepare?.([event])
    await db.transaction().execute(async (trx) => {
      for (const { apply } of own) await apply(trx, [event])
    })
  }
}
