import { Type } from 'typebox'
import { defineEvent } from '../event.ts'
import { NOTIFICATION_DATA } from './notification-data.ts'
import { NOTIFICATION_KINDS_V1 } from './notifications.ts'
import { WebhookDisabledReason } from './webhooks.ts'

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

const aboutBeforeWebhooks = [
  about('quota'),
  about('key_created'),
  about('key_revoked'),
  about('key_expiring'),
  about('key_expired'),
  about('key_used_from_new_network'),
  about('trial_ending'),
  about('trial_ended'),
] as const

/** Consumed to deliver the notification by mail or push in the account's language. The feed already contains it. */
export const notificationRaised = defineEvent(
  'audit',
  'audit.notification-raised.v4',
  Type.Union([...aboutBeforeWebhooks, about('webhook_disabled'), about('key_leaked'), about('usage_alert')]),
)

/** No longer published; consumed until the remaining ones have expired from the topic. */
export const notificationRaisedV3 = defineEvent(
  'audit',
  'audit.notification-raised.v3',
  Type.Union([...aboutBeforeWebhooks, about('webhook_disabled')]),
)

/** No longer published; consumed until the remaining ones have expired from the topic. */
export const notificationRaisedV2 = defineEvent(
  'audit',
  'audit.notification-raised.v2',
  Type.Union([...aboutBeforeWebhooks]),
)

/** No longer published; consumed until the remaining ones have expired from the topic. */
export const notificationRaisedInEnglish = defineEvent(
  'audit',
  'audit.notification-raised.v1',
  Type.Object({
    notification_id: Type.String(),
    account_id: Type.String(),
    kind: Type.Enum(NOTIFICATION_KINDS_V1),
    title: Type.String(),
    text: Type.String(),
  }),
)

const aboutWebhook = { endpoint_id: Type.String(), account_id: Type.String(), name: Type.String() }
/** `name`, `url`, `event_types` and `state` of an endpoint; only the changed ones in an update. */
const WebhookFields = Type.Record(Type.String(), Type.Unknown())
export const webhookCreated = defineEvent(
  'audit',
  'audit.webhook-created.v1',
  Type.Object({ ...aboutWebhook, after: WebhookFields }),
)
export const webhookUpdated = defineEvent(
  'audit',
  'audit.webhook-updated.v1',
  Type.Object({ ...aboutWebhook, before: WebhookFields, after: WebhookFields }),
)
/** Replaced secrets sign until `previous_until`; null: they no longer sign. */
export const webhookSecretRotated = defineEvent(
  'audit',
  'audit.webhook-secret-rotated.v1',
  Type.Object({ ...aboutWebhook, previous_until: Type.Union([Type.String(), Type.Null()]) }),
)
/** By the platform: `failing`: no attempt has succeeded since `failing_since`; `gone`: the endpoint returned 410. */
export const webhookDisabled = defineEvent(
  'audit',
  'audit.webhook-disabled.v1',
  Type.Object({ ...aboutWebhook, because: WebhookDisabledReason, failing_since: Type.String() }),
)
export const webhookDeleted = defineEvent('audit', 'audit.webhook-deleted.v1', Type.Object(aboutWebhook))
export const webhookEvents = [webhookCreated, webhookUpdated, webhookSecretRotated, webhookDisabled, webhookDeleted]

const aboutReport = { report_id: Type.String(), account_id: Type.String(), name: Type.String() }
/** The fields of a report; only the changed ones in an update. */
const ReportFields = Type.Record(Type.String(), Type.Unknown())
export const reportCreated = defineEvent(
  'audit',
  'audit.report-created.v1',
  Type.Object({ ...aboutReport, after: ReportFields }),
)
export const reportUpdated = defineEvent(
  'audit',
  'audit.report-updated.v1',
  Type.Object({ ...aboutReport, before: ReportFields, after: ReportFields }),
)
export const reportDeleted = defineEvent('audit', 'audit.report-deleted.v1', Type.Object(aboutReport))

const aboutAlert = { alert_id: Type.String(), account_id: Type.String(), name: Type.String() }
/** The fields of an alert; only the changed ones in an update. */
const AlertFields = Type.Record(Type.String(), Type.Unknown())
export const alertCreated = defineEvent(
  'audit',
  'audit.alert-created.v1',
  Type.Object({ ...aboutAlert, after: AlertFields }),
)
export const alertUpdated = defineEvent(
  'audit',
  'audit.alert-updated.v1',
  Type.Object({ ...aboutAlert, before: AlertFields, after: AlertFields }),
)
export const alertDeleted = defineEvent('audit', 'audit.alert-deleted.v1', Type.Object(aboutAlert))

const madeReport = { ...aboutReport, from: Type.String(), to: Type.String(), total: Type.Integer() }
/** Consumed to mail the file to the account. `from` and `to`: the reported period, RFC 3339. */
export const reportMade = defineEvent(
  'audit',
  'audit.report-made.v2',
  Type.Object({
    ...madeReport,
    file_name: Type.String(),
    content_type: Type.String(),
    /** Base64. */
    file: Type.String(),
  }),
)

/** No longer published; consumed until the remaining ones have expired from the topic. */
export const reportMadeV1 = defineEvent(
  'audit',
  'audit.report-made.v1',
  Type.Object({ ...madeReport, file_name: Type.String(), csv: Type.String() }),
)

export const auditEvents = [
  notificationRaised,
  notificationRaisedV3,
  notificationRaisedV2,
  notificationRaisedInEnglish,
  ...webhookEvents,
  alertCreated,
  alertUpdated,
  alertDeleted,
  reportCreated,
  reportUpdated,
  reportDeleted,
  reportMade,
  reportMadeV1,
]
