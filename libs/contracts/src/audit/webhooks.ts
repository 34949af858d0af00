import { type Static, type TSchema, Type } from 'typebox'
import { NextCursor, pageFields } from './page.ts'

/** Events that an endpoint can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'key.deleted',
  'key.expiring',
  'key.expired',
  'key.used_from_new_network',
  'key.leaked',
  'usage.threshold',
  'usage.alert',
  'limit.reached',
  'plan.changed',
  'plan.trial_started',
  'plan.trial_ending',
  'plan.trial_ended',
  'session.new_device',
  'incident.opened',
  'incident.resolved',
  'data.day_sealed',
  'data.corrected',
] as const
export const WebhookEventType = Type.Enum(WEBHOOK_EVENT_TYPES)
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]
/** Sent by `POST /api/v1/internal/webhooks/{id}/test` only. */
export const WEBHOOK_TEST_TYPE = 'webhook.test'

/** Maximum endpoints per account. */
export const WEBHOOK_ENDPOINTS_MAX = 10
/** Delays before attempts 2 to 10, in seconds: the last attempt starts 24 hours after the first. */
export const WEBHOOK_RETRY_DELAYS_S = [5, 30, 120, 600, 1_800, 7_200, 18_000, 28_800, 29_845] as const
/** An endpoint is disabled when a delivery is given up and no attempt has succeeded for this many days. */
export const WEBHOOK_DISABLED_AFTER_DAYS = 5
/** Days for which deliveries are kept. */
export const WEBHOOK_DELIVERIES_KEPT_DAYS = 30
/** Hours for which replaced secrets also sign, by default and at most. */
export const WEBHOOK_OVERLAP_HOURS = { default: 24, max: 168 } as const

const Time = Type.String({ format: 'date-time' })
const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const fields = {
  name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  /** `https` only, on the public internet. */
  url: Type.String({ minLength: 1, maxLength: 2_000 }),
  event_types: Type.Array(WebhookEventType, { minItems: 1, maxItems: WEBHOOK_EVENT_TYPES.length, uniqueItems: true }),
}

export const CreateWebhook = Type.Object(fields, { additionalProperties: false })
export type CreateWebhook = Static<typeof CreateWebhook>

/**
 * `paused` holds deliveries until the endpoint is active again; a change of this field alone is allowed on every plan. A
 * disabled endpoint can be made active.
 */
export const UpdateWebhook = Type.Object(
  {
    name: Type.Optional(fields.name),
    url: Type.Optional(fields.url),
    event_types: Type.Optional(fields.event_types),
    state: Type.Optional(Type.Enum(['active', 'paused'] as const)),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateWebhook = Static<typeof UpdateWebhook>

export const RotateWebhookSecret = Type.Object(
  {
    /** How long the replaced secret also signs; 0: all older secrets stop immediately. */
    overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: WEBHOOK_OVERLAP_HOURS.max })),
  },
  { additionalProperties: false },
)
export type RotateWebhookSecret = Static<typeof RotateWebhookSecret>

/** `gone`: the endpoint returned 410. */
export const WebhookDisabledReason = Type.Enum(['failing', 'gone'] as const)
export type WebhookDisabledReason = Static<typeof WebhookDisabledReason>
export const WebhookState = Type.Enum(['active', 'paused', 'disabled'] as const)
export type WebhookState = Static<typeof WebhookState>

/** Deliveries created within an hour that were accepted, given up, or are still waiting. */
const HourCount = Type.Object({ at: Time, delivered: Type.Integer(), failed: Type.Integer(), waiting: Type.Integer() })

export const Webhook = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  url: Type.String(),
  event_types: Type.Array(WebhookEventType),
  state: WebhookState,
  disabled_reason: Nullable(WebhookDisabledReason),
  /** Time of the first failed attempt since the last success; null while the endpoint accepts deliveries. */
  failing_since: Nullable(Time),
  /** End of the time in which replaced secrets also sign; null outside of it. */
  previous_secret_until: Nullable(Time),
  created_at: Time,
  /** The last 24 hours, oldest first; the last entry is the current hour. Hours without deliveries are absent. */
  hours: Type.Array(HourCount),
})
export type Webhook = Static<typeof Webhook>

export const WebhookList = Type.Object({
  endpoints: Type.Array(Webhook),
  endpoints_max: Type.Integer(),
  /** Whether the account's tier includes webhooks. */
  is_included: Type.Boolean(),
})
export type WebhookList = Static<typeof WebhookList>

/** `secret` is shown once: `whsec_` and the base64 of 32 random bytes. */
export const WebhookWithSecret = Type.Object({ endpoint: Webhook, secret: Type.String() })
export type WebhookWithSecret = Static<typeof WebhookWithSecret>
/** Answer to a repeated creation with the same `Idempotency-Key`. */
export const WebhookCreatedBefore = Type.Object({ endpoint: Webhook })

export const WebhookDeliveryState = Type.Enum(['waiting', 'delivered', 'failed'] as const)
export type WebhookDeliveryState = Static<typeof WebhookDeliveryState>

export const WebhookAttempt = Type.Object({
  at: Time,
  /** HTTP status; null when there was no answer. */
  status: Nullable(Type.Integer()),
  /** Why there was no answer, such as `timeout`; null when there was one. */
  error: Nullable(Type.String()),
  latency_ms: Type.Integer(),
})
export type WebhookAttempt = Static<typeof WebhookAttempt>

const deliveryFields = {
  id: Type.String({ format: 'uuid' }),
  endpoint_id: Type.String({ format: 'uuid' }),
  /** Value of the header `webhook-id`: the same in every attempt. */
  message_id: Type.String(),
  /** Position of the event among those of the endpoint: 1, 2, 3, … */
  sequence: Type.Integer(),
  type: Type.String(),
  /** Subject of the event, such as the name of a key. */
  subject: Type.String(),
  state: WebhookDeliveryState,
  created_at: Time,
  /** Start of the next attempt; null when none follows. */
  next_attempt_at: Nullable(Time),
  /** Attempts since creation or the last redelivery. */
  tries: Type.Integer(),
  tries_max: Type.Integer(),
  last_attempt: Nullable(WebhookAttempt),
}
export const WebhookDelivery = Type.Object(deliveryFields)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryDetail = Type.Object({
  ...deliveryFields,
  /** The latest attempts, oldest first. */
  attempts: Type.Array(WebhookAttempt),
  request: Type.Object({ url: Type.String(), body: Type.String() }),
  /** The latest answer, its body cut to 4 KB; null when there was none. */
  response: Nullable(
    Type.Object({
      status: Type.Integer(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
      is_truncated: Type.Boolean(),
    }),
  ),
})
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>

export const ListWebhookDeliveriesQuery = Type.Object(
  { ...pageFields, state: Type.Optional(WebhookDeliveryState) },
  { additionalProperties: false },
)
export type ListWebhookDeliveriesQuery = Static<typeof ListWebhookDeliveriesQuery>

export const WebhookDeliveryPage = Type.Object({ deliveries: Type.Array(WebhookDelivery), next_cursor: NextCursor })
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>

/** Deliveries created in a range: `from` inclusive, `to` exclusive. */
export const RedeliverWebhooks = Type.Object(
  { from: Time, to: Time, state: Type.Optional(Type.Enum(['delivered', 'failed'] as const)) },
  { additionalProperties: false },
)
export type RedeliverWebhooks = Static<typeof RedeliverWebhooks>
export const RedeliveredWebhooks = Type.Object({
  redelivered: Type.Integer(),
  /** The range has more deliveries than one call sends. */
  has_more: Type.Boolean(),
})
export type RedeliveredWebhooks = Static<typeof RedeliveredWebhooks>

export const DeletedWebhook = Type.Object({ id: Type.String({ format: 'uuid' }) })
