import type { Migrations } from '@tapeline/database/migrate'
import { createUsage } from './0001-create-usage.ts'
import { createUsageChecks } from './0010-compare-usage.ts'
import { createUsageNetwork } from './0011-create-usage-network.ts'
import { noteLastRequests } from './0012-note-last-requests.ts'
import { indexRequests } from './0020-index-requests.ts'
import { createTrail } from './0021-create-trail.ts'
import { createNotifications } from './0022-create-notifications.ts'
import { createStatus } from './0023-create-status.ts'
import { createUsageNetworkDay } from './0030-create-usage-network-day.ts'
import { createUsageAccountHour } from './0031-create-usage-account-hour.ts'
import { eraseAccounts } from './0040-erase-accounts.ts'
import { createUsageAccountDay } from './0041-create-usage-account-day.ts'
import { keepRejectedFields } from './0042-keep-rejected-fields.ts'
import { createUsageStream } from './0043-create-usage-stream.ts'
import { createWebhooks } from './0050-create-webhooks.ts'
import { createLimitsReplay } from './0075-create-limits-replay.ts'
import { announceWebhookDeliveries } from './0076-announce-webhook-deliveries.ts'
import { createUsageShadow } from './0077-create-usage-shadow.ts'
import { createRequestLog } from './0078-create-request-log.ts'
import { addShadowWaits } from './0079-add-shadow-waits.ts'
import { archiveRequests } from './0080-archive-requests.ts'
import { storePendingBatch } from './0081-store-pending-batch.ts'
import { indexNotificationsByTime } from './0082-index-notifications-by-time.ts'
import { noteInactiveOwners } from './0083-note-inactive-owners.ts'
import { keepCorrections } from './0084-keep-corrections.ts'
import { indexChecks } from './0085-index-checks.ts'
import { reserveSpaceInSums } from './0086-reserve-space-in-sums.ts'
import { indexCorrections } from './0087-index-corrections.ts'
import { resumeErasure } from './0088-resume-erasure.ts'
import { keepOldestSecret } from './0089-keep-oldest-secret.ts'
import { createCustomReports } from './0051-create-custom-reports.ts'
import { createIncidents } from './0060-create-incidents.ts'
import { createAlerts } from './0061-create-alerts.ts'
import { addReportFormats } from './0062-add-report-formats.ts'
import { anchorTrail } from './0070-anchor-trail.ts'
import { createStatements } from './0071-create-statements.ts'

export const migrations: Migrations = {
  '0001-create-usage': createUsage,
  '0010-compare-usage': createUsageChecks,
  '0011-create-usage-network': createUsageNetwork,
  '0012-note-last-requests': noteLastRequests,
  '0020-index-requests': indexRequests,
  '0021-create-trail': createTrail,
  '0022-create-notifications': createNotifications,
  '0023-create-status': createStatus,
  '0030-create-usage-network-day': createUsageNetworkDay,
  '0031-create-usage-account-hour': createUsageAccountHour,
  '0040-erase-accounts': eraseAccounts,
  '0041-create-usage-account-day': createUsageAccountDay,
  '0042-keep-rejected-fields': keepRejectedFields,
  '0043-create-usage-stream': createUsageStream,
  '0050-create-webhooks': createWebhooks,
  '0051-create-custom-reports': createCustomReports,
  '0060-create-incidents': createIncidents,
  '0061-create-alerts': createAlerts,
  '0062-add-report-formats': addReportFormats,
  '0070-anchor-trail': anchorTrail,
  '0071-create-statements': createStatements,
  '0075-create-limits-replay': createLimitsReplay,
  '0076-announce-webhook-deliveries': announceWebhookDeliveries,
  '0077-create-usage-shadow': createUsageShadow,
  '0078-create-request-log': createRequestLog,
  '0079-add-shadow-waits': addShadowWaits,
  '0080-archive-requests': archiveRequests,
  '0081-store-pending-batch': storePendingBatch,
  '0082-index-notifications-by-time': indexNotificationsByTime,
  '0083-note-inactive-owners': noteInactiveOwners,
  '0084-keep-corrections': keepCorrections,
  '0085-index-checks': indexChecks,
  '0086-reserve-space-in-sums': reserveSpaceInSums,
  '0087-index-corrections': indexCorrections,
  '0088-resume-erasure': resumeErasure,
  '0089-keep-oldest-secret': keepOldestSecret,
}
