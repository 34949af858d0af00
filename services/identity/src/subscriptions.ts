import { notificationRaised, notificationRaisedInEnglish } from '@tapeline/contracts/audit/events'
import { settingsChanged } from '@tapeline/contracts/config/events'
import { onBatch, type Subscription } from '@tapeline/events/subscription'
import { heedSettings } from './notices/heed-settings.ts'
import { accountFault, noticeFault } from './notices/notice-fault.ts'
import { receiveNotices } from './notices/receive-notice.ts'
import type { Tables } from './tables.ts'

/** Notifications from audit, and changes of the settings for their delivery. */
export function subscriptions(): Subscription<Tables>[] {
  return [
    onBatch(notificationRaised, receiveNotices, noticeFault),
    onBatch(notificationRaisedInEnglish, receiveNotices, noticeFault),
    onBatch(
      settingsChanged,
      async (trx, events) => {
        for (const event of events) await heedSettings(trx, event)
      },
      accountFault,
    ),
  ]
}
