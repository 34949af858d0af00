import { Type } from 'typebox'
import { defineEvent } from '../event.ts'
import { NOTIFICATION_DATA } from './notification-data.ts'
import { NotificationKind } from './notifications.ts'

const raised = {
  notification_id: Type.String(),
  account_id: Type.String(),
  /** In English. */
  title: Type.String(),
  text: Type.String(),
}

function about<K extends keyof typeof NOTIFICATION_DATA>(kind: K) {
  return Type.Object({ ...raised, kind: Type.Literal(kind), data: NOTIFICATION_DATA[kind] })
}

/** Consumed to deliver the notification by mail or push in the account's language. The feed already contains it. */
export const notificationRaised = defineEvent(
  'audit',
  'audit.notification-raised.v2',
  Type.Union([
    about('quota'),
    about('key_created'),
    about('key_revoked'),
    about('key_expiring'),
    about('key_expired'),
    about('key_used_from_new_network'),
    about('trial_ending'),
    about('trial_ended'),
  ]),
)

/** No longer published; consumed until the remaining ones have expired from the topic. */
export const notificationRaisedInEnglish = defineEvent(
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

export const auditEvents = [notificationRaised, notificationRaisedInEnglish]
