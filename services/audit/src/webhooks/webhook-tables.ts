import type { Tier } from '@tapeline/contracts/actor'
import type {
  WebhookAttempt,
  WebhookDeliveryState,
  WebhookDisabledReason,
  WebhookEventType,
  WebhookState,
} from '@tapeline/contracts/audit/webhooks'
import type { ColumnType, Generated } from 'kysely'

type Instant = ColumnType<Date, string, string>
type OptionalInstant = ColumnType<Date | null, string | null, string | null>

/**
 * Secrets are encrypted (secret-vault.ts). `tier` and `is_owner_active` are the account's: its tier must include webhooks,
 * and an inactive account gets none.
 */
export type WebhookEndpointTable = {
  id: string
  account_id: string
  tier: Tier
  is_owner_active: Generated<boolean>
  name: string
  url: string
  event_types: WebhookEventType[]
  state: WebhookState
  disabled_reason: WebhookDisabledReason | null
  failing_since: OptionalInstant
  encrypted_secret: Buffer
  previous_encrypted_secret: Buffer | null
  /** The secret that signed before the first of several rotations whose overlaps follow each other. */
  oldest_encrypted_secret: Buffer | null
  /** End of the time in which replaced secrets sign. */
  previous_secret_until: OptionalInstant
  /** Sequence number of the next delivery. */
  next_sequence: Generated<string>
  idempotency_key: string | null
  fingerprint: Buffer | null
  created_at: Instant
}

/** The latest answer of an endpoint, as stored. */
export type StoredAnswer = {
  status: number
  headers: Record<string, string>
  body: string
  is_truncated: boolean
}

/** One event for one endpoint: a separate outbox, kept as the log. `due_at` is the start of the next attempt. */
export type WebhookDeliveryTable = {
  id: Generated<string>
  endpoint_id: string
  account_id: string
  sequence: string
  event_id: string
  type: string
  subject: string
  occurred_at: Instant
  data: ColumnType<unknown, string, never>
  state: Generated<WebhookDeliveryState>
  due_at: Instant
  tries: Generated<number>
  attempts: ColumnType<WebhookAttempt[], string | undefined, string>
  answer: ColumnType<StoredAnswer | null, string | null | undefined, string | null>
  created_at: Instant
}

export type WebhookTables = {
  webhook_endpoint: WebhookEndpointTable
  webhook_delivery: WebhookDeliveryTable
}
