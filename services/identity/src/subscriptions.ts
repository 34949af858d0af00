import { notificationRaised } from '@tapeline/contracts/audit/events'
import { type Subscription, onBatch } from '@tapeline/events/subscription'
import { noticeFault } from './notices/notice-fault.ts'
import { receiveNotice } from './notices/receive-notice.ts'
import type { Tables } from './tables.ts'

/** What audit has noticed and people want to be told. */
export function subscriptions(): Subscription<Tables>[] {
  return [
    onBatch(
      notificationRaised,
      async (trx, events) => {
        for (const event of events) await receiveNotice(trx, event)
      },
      noticeFault,
    ),
  ]
}
