import { webhookDisabled } from '@tapeline/contracts/audit/events'
import {
  WEBHOOK_DISABLED_AFTER_DAYS,
  WEBHOOK_RETRY_DELAYS_S,
  type WebhookDisabledReason,
} from '@tapeline/contracts/audit/webhooks'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import { raiseNotification } from '../../notifications/raise-notification.ts'
import type { Tables } from '../../tables.ts'
import type { DeliveryDeps } from './deliver-to-endpoint.ts'
import {
  type AttemptResult,
  type DueDelivery,
  type FailingEndpoint,
  clearFailing,
  markDisabled,
  markFailing,
  recordAttempt,
} from './delivery-queries.ts'
import { signatureHeaders } from './sign-message.ts'
import { messageIdOf, webhookBody } from './webhook-body.ts'
import type { PostResult } from './webhook-poster.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
const GONE = 410
const USER_AGENT = 'Tapeline-Webhooks/1'

/** Sends one delivery and stores the result. Only a failure to store throws. */
export async function attemptDelivery(deps: DeliveryDeps, row: DueDelivery): Promise<void> {
  const at = deps.now()
  const startedMs = performance.now()
  const result = await deps.poster.post(requestOf(deps, row, at))
  const latencyMs = Math.round(performance.now() - startedMs)
  const outcome = outcomeOf(row, result, { at, latencyMs, now: deps.now() })
  // Locks the endpoint before the delivery, as every other transaction does.
  await deps.db.transaction().execute(async (trx) => {
    if (outcome.state === 'delivered') {
      await clearFailing(trx, row.endpoint_id)
      return recordAttempt(trx, row, outcome)
    }
    const endpoint = await markFailing(trx, row.endpoint_id, at)
    await recordAttempt(trx, row, outcome)
    const reason = endpoint && disabledBecause(endpoint, outcome, deps.now())
    if (endpoint !== undefined && reason !== undefined) await disableEndpoint(deps, trx, endpoint, reason)
  })
}

function requestOf({ vault }: DeliveryDeps, row: DueDelivery, at: Date) {
  const body = webhookBody(row)
  const message = { id: messageIdOf(row), timestampS: Math.floor(at.getTime() / SECOND_MS), body }
  return {
    url: row.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders(message, signingSecrets(row, at).map(vault.decrypt)),
    },
    body,
  }
}

/** The current secret first, then the replaced ones during their overlap. */
function signingSecrets(row: DueDelivery, at: Date): Buffer[] {
  const { encrypted_secret: current, previous_secret_until: until } = row
  const replaced = until !== null && until > at ? [row.previous_encrypted_secret, row.oldest_encrypted_secret] : []
  return [current, ...replaced.filter((secret) => secret !== null)]
}

type Times = { at: Date; latencyMs: number; now: Date }

function outcomeOf({ tries }: DueDelivery, result: PostResult, { at, latencyMs, now }: Times): AttemptResult {
  const answer = 'answer' in result ? result.answer : null
  const status = answer?.status ?? null
  const error = 'error' in result ? result.error : null
  const attempt = { at: at.toISOString(), status, error, latency_ms: latencyMs }
  const delayS = status === GONE ? undefined : WEBHOOK_RETRY_DELAYS_S[tries]
  if (isSuccess(status)) return { state: 'delivered', attempt, answer, dueAt: now }
  if (delayS === undefined) return { state: 'failed', attempt, answer, dueAt: now }
  return { state: 'waiting', attempt, answer, dueAt: new Date(now.getTime() + delayS * SECOND_MS) }
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/**
 * Only a delivery that was given up disables an endpoint: after days without events, the first attempt that fails is
 * repeated.
 */
function disabledBecause(
  { failing_since: since }: FailingEndpoint,
  { state, attempt }: AttemptResult,
  now: Date,
): WebhookDisabledReason | undefined {
  if (attempt.status === GONE) return 'gone'
  if (state !== 'failed') return undefined
  const isFailing = now.getTime() - since.getTime() >= WEBHOOK_DISABLED_AFTER_DAYS * DAY_MS
  return isFailing ? 'failing' : undefined
}

/** Ends the deliveries to an endpoint and notifies its owner. */
async function disableEndpoint(
  deps: Pick<DeliveryDeps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  { id, account_id: accountId, name, failing_since }: FailingEndpoint,
  because: WebhookDisabledReason,
): Promise<void> {
  await markDisabled(trx, id, because)
  const about = { endpoint_id: id, name, because, failing_since: failing_since.toISOString() }
  const event = newEvent(webhookDisabled, {
    id: deps.newId(),
    time: deps.now(),
    subject: id,
    account: accountId,
    actor: { kind: 'service', service: 'audit' },
    data: { ...about, account_id: accountId },
  })
  await recordEvent(trx, event)
  const cause =
    because === 'gone' ? 'It returned 410.' : `All attempts of ${WEBHOOK_DISABLED_AFTER_DAYS} days have failed.`
  await raiseNotification(deps, trx, {
    accountId,
    about: { kind: 'webhook_disabled', data: about },
    scope: `event/${event.id}`,
    level: 0,
    title: `Webhook endpoint “${name}” was disabled`,
    text: `${cause} Activate it again once it accepts deliveries, then redeliver what it missed.`,
  })
}
