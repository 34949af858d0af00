import {
  WEBHOOK_RETRY_DELAYS_S,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
} from '@tapeline/contracts/audit/webhooks'
import type { DeliveryRow } from './delivery-queries.ts'
import { messageIdOf, webhookBody } from './webhook-body.ts'

/** A delivery as the account sees it, without the signing secret. */
export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    message_id: messageIdOf(row),
    sequence: Number(row.sequence),
    type: row.type,
    subject: row.subject,
    state: row.state,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.state === 'waiting' ? row.due_at.toISOString() : null,
    tries: row.tries,
    tries_max: WEBHOOK_RETRY_DELAYS_S.length + 1,
    last_attempt: row.attempts.at(-1) ?? null,
  }
}

export function presentDeliveryDetail(row: DeliveryRow, url: string): WebhookDeliveryDetail {
  return {
    ...presentDelivery(row),
    attempts: row.attempts,
    request: { url, body: webhookBody(row) },
    response: row.answer,
  }
}
