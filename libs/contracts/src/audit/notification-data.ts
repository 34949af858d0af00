import { type Static, type TSchema, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { LeakOutcome } from '../api-key/leaks.ts'
import { Policy } from '../usage/events.ts'
import { AlertChannel } from './alerts.ts'
import { type NotificationKind, QUOTA_LEVELS } from './notifications.ts'
import { WebhookDisabledReason } from './webhooks.ts'

const key = { key_id: Type.String(), kid: Type.String(), name: Type.String() }
const trial = { tier: Tier, ends_at: Type.String(), tier_after: Tier }

/** Data of a notification by kind. Each client renders its own text from it. */
export const NOTIFICATION_DATA = {
  quota: Type.Object({
    policy: Type.Enum(['day', 'month']),
    level: Type.Enum([...QUOTA_LEVELS]),
    used: Type.Integer(),
    limit: Type.Integer(),
    period: Type.String(),
    /** End of the month; null for the day, which is a rolling window. */
    ends_at: Type.Union([Type.String(), Type.Null()]),
  }),
  key_created: Type.Object(key),
  key_revoked: Type.Object(key),
  key_expiring: Type.Object({ ...key, expires_at: Type.String(), days_left: Type.Integer() }),
  key_expired: Type.Object({ ...key, expires_at: Type.String() }),
  key_used_from_new_network: Type.Object({ ...key, network: Type.String() }),
  trial_ending: Type.Object({ ...trial, days_left: Type.Integer() }),
  trial_ended: Type.Object({ ...trial, because: Type.Enum(['over', 'cancelled', 'replaced']) }),
  webhook_disabled: Type.Object({
    endpoint_id: Type.String(),
    name: Type.String(),
    because: WebhookDisabledReason,
    failing_since: Type.String(),
  }),
  key_leaked: Type.Object({ ...key, outcome: LeakOutcome }),
  usage_alert: Type.Object({
    alert_id: Type.String(),
    name: Type.String(),
    policy: Policy,
    percent: Type.Integer(),
    used: Type.Integer(),
    limit: Type.Integer(),
    /** Name of the key; null for an alert about the account. */
    key_name: Type.Union([Type.String(), Type.Null()]),
    channels: Type.Array(AlertChannel),
  }),
} satisfies Record<NotificationKind, TSchema>

export type NotificationData = { [K in NotificationKind]: Static<(typeof NOTIFICATION_DATA)[K]> }
/** A notification kind with its data. */
export type NotificationAbout<K extends NotificationKind = NotificationKind> = {
  [P in K]: { kind: P; data: NotificationData[P] }
}[K]
