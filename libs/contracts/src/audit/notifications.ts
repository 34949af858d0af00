import { type Static, Type } from 'typebox'
import { NextCursor, pageFields } from './page.ts'

/** Kinds of the first version of `audit.notification-raised`. */
export const NOTIFICATION_KINDS_V1 = [
  'quota',
  'key_created',
  'key_revoked',
  'key_expiring',
  'key_expired',
  'key_used_from_new_network',
  'trial_ending',
  'trial_ended',
] as const
export const NOTIFICATION_KINDS = [...NOTIFICATION_KINDS_V1, 'webhook_disabled', 'key_leaked', 'usage_alert'] as const
export const NotificationKind = Type.Enum(NOTIFICATION_KINDS)
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Percentages of the daily and monthly limit at which an account is notified. */
export const QUOTA_LEVELS = [70, 80, 100] as const

export const ListNotificationsQuery = Type.Object(
  { ...pageFields, unread: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type ListNotificationsQuery = Static<typeof ListNotificationsQuery>

export const Notification = Type.Object({
  id: Type.String(),
  kind: NotificationKind,
  title: Type.String(),
  text: Type.String(),
  /** The values in the text, for clients that render their own wording. */
  data: Type.Record(Type.String(), Type.Unknown()),
  created_at: Type.String(),
  read_at: Type.Union([Type.String(), Type.Null()]),
})
export type Notification = Static<typeof Notification>

export const NotificationPage = Type.Object({
  notifications: Type.Array(Notification),
  unread: Type.Integer(),
  next_cursor: NextCursor,
})
export type NotificationPage = Static<typeof NotificationPage>

export const MarkedRead = Type.Object({ marked: Type.Integer(), unread: Type.Integer() })
export type MarkedRead = Static<typeof MarkedRead>
