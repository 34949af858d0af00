import type { Migrations } from '@tapeline/database/migrate'
import { createIdentity } from './0001-create-identity.ts'
import { findLivingSessions } from './0002-find-living-sessions.ts'
import { addDevicesAndResets } from './0003-add-devices-and-resets.ts'
import { addEmailLinksAndAccountLife } from './0004-add-email-links-and-account-life.ts'
import { addProviders } from './0005-add-providers.ts'
import { addPushNoticesAndReminders } from './0006-add-push-notices-and-reminders.ts'
import { addKnownDevicesAndContact } from './0007-add-known-devices-and-contact.ts'
import { keepWhatNoticesSay } from './0008-keep-what-notices-say.ts'
import { giveGrantsBack } from './0009-give-grants-back.ts'
import { paceMailsByAddress } from './0010-pace-mails-by-address.ts'
import { paceChangesByAddress } from './0011-pace-changes-by-address.ts'
import { addDeviceLinks } from './0012-add-device-links.ts'
import { addDeviceLogins } from './0013-add-device-logins.ts'
import { announceDeliveries } from './0014-announce-deliveries.ts'
import { markResetsThatVerify } from './0015-mark-resets-that-verify.ts'
import { rememberDevices } from './0016-remember-devices.ts'
import { bindApprovalsToSessions } from './0017-bind-approvals-to-sessions.ts'
import { markMailedContactMessages } from './0018-mark-mailed-contact-messages.ts'

export const migrations: Migrations = {
  '0001-create-identity': createIdentity,
  '0002-find-living-sessions': findLivingSessions,
  '0003-add-devices-and-resets': addDevicesAndResets,
  '0004-add-email-links-and-account-life': addEmailLinksAndAccountLife,
  '0005-add-providers': addProviders,
  '0006-add-push-notices-and-reminders': addPushNoticesAndReminders,
  '0007-add-known-devices-and-contact': addKnownDevicesAndContact,
  '0008-keep-what-notices-say': keepWhatNoticesSay,
  '0009-give-grants-back': giveGrantsBack,
  '0010-pace-mails-by-address': paceMailsByAddress,
  '0011-pace-changes-by-address': paceChangesByAddress,
  '0012-add-device-links': addDeviceLinks,
  '0013-add-device-logins': addDeviceLogins,
  '0014-announce-deliveries': announceDeliveries,
  '0015-mark-resets-that-verify': markResetsThatVerify,
  '0016-remember-devices': rememberDevices,
  '0017-bind-approvals-to-sessions': bindApprovalsToSessions,
  '0018-mark-mailed-contact-messages': markMailedContactMessages,
}
