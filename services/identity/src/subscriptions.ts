import {
  notificationRaised,
  notificationRaisedInEnglish,
  notificationRaisedV2,
  notificationRaisedV3,
  reportMade,
  reportMadeV1,
} from '@tapeline/contracts/audit/events'
import { settingsChanged } from '@tapeline/contracts/config/events'
import { onBatch, type Subscription } from '@tapeline/events/subscription'
import { rescheduleNotices } from './notices/reschedule-notices.ts'
import { accountFault, noticeFault, reportFault } from './notices/notice-fault.ts'
import { receiveNotices } from './notices/receive-notice.ts'
import { receiveReports, type ReportMailing } from './report-mails/receive-reports.ts'
import type { Tables } from './tables.ts'

/** Notifications and reports from audit, and changes of the settings for their delivery. */
export function subscriptions(deps: ReportMailing): Subscription<Tables>[] {
  return [
    onBatch(notificationRaised, receiveNotices, noticeFault),
    onBatch(notificationRaisedV3, receiveNotices, noticeFault),
    onBatch(notificationRaisedV2, receiveNotices, noticeFault),
    onBatch(notificationRaisedInEnglish, receiveNotices, noticeFault),
    onBatch(reportMadeV1, (trx, events) => receiveReports(deps, trx, events), reportFault),
    onBatch(reportMade, (trx, events) => receiveReports(deps, trx, events), reportFault),
    onBatch(
      settingsChanged,
      async (trx, events) => {
        for (const event of events) await rescheduleNotices(trx, event)
      },
      accountFault,
    ),
  ]
}
