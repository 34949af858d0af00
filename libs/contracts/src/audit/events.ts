import { Type } from 'typebox'
import { defineEvent } from '../event.ts'
import { NotificationKind } from './notifications.ts'

/** For those who deliver it elsewhere, by mail or push: the feed has it already. */
export const notificationRaised = defineEvent(
  'audit',
  'audit.notification-raised.v1',
  Type.Object({
    notification_id: Type.String(),
    account_id: Type.String(),
    kind: NotificationKind,
    title: Type.String(),
    text: Type.String(),
  }),
)

export const auditEvents = [notificationRaised]
