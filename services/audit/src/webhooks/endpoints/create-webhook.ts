import { createHash } from 'node:crypto'
import type { UserActor } from '@tapeline/contracts/actor'
import { webhookCreated } from '@tapeline/contracts/audit/events'
import {
  type CreateWebhook,
  WEBHOOK_ENDPOINTS_MAX,
  type Webhook,
  type WebhookWithSecret,
} from '@tapeline/contracts/audit/webhooks'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { WebhookDeps } from '../webhook-deps.ts'
import { checkUrl, requireWebhooks } from './check-fields.ts'
import {
  type EndpointRow,
  findCreation,
  insertEndpoint,
  listEndpoints,
  lockCreation,
  updateEndpoint,
} from './endpoint-queries.ts'
import { presentEndpoint } from './present-endpoint.ts'
import { newWebhookSecret } from './webhook-secret.ts'

const IDEMPOTENT_FOR_MS = 86_400_000

export type CreationAttempt = { input: CreateWebhook; idempotencyKey: string | undefined }
export type CreatedWebhook = { created: WebhookWithSecret } | { createdBefore: { endpoint: Webhook } }

/**
 * Creates an endpoint. Idempotent for a day with an `Idempotency-Key`: a repetition returns the endpoint without its
 * secret.
 * @throws AppError idempotency_key.reused, webhook.limit_reached
 */
export async function createWebhook(
  deps: WebhookDeps,
  actor: UserActor,
  { input, idempotencyKey }: CreationAttempt,
): Promise<CreatedWebhook> {
  requireWebhooks(deps, actor)
  checkUrl(deps, input.url)
  const fingerprint = fingerprintOf(input)
  return deps.db.transaction().execute(async (trx) => {
    await lockCreation(trx, actor.userId)
    const before = idempotencyKey === undefined ? undefined : await earlierCreation(deps, trx, actor, idempotencyKey)
    if (before !== undefined) {
      if (before.fingerprint?.equals(fingerprint) !== true) throw reused()
      return { createdBefore: { endpoint: presentEndpoint(before, deps.now()) } }
    }
    const { length } = await listEndpoints(trx, actor.userId)
    if (length >= WEBHOOK_ENDPOINTS_MAX) throw tooMany()
    const secret = newWebhookSecret()
    const creation = idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey, fingerprint }
    const row = await insert(deps, trx, actor, { ...input, ...creation, encrypted_secret: deps.vault.encrypt(secret) })
    return { created: { endpoint: presentEndpoint(row, deps.now()), secret } }
  })
}

async function earlierCreation(
  { now }: Pick<WebhookDeps, 'now'>,
  trx: Transaction<Tables>,
  { userId }: UserActor,
  idempotencyKey: string,
): Promise<EndpointRow | undefined> {
  const before = await findCreation(trx, userId, idempotencyKey)
  if (before === undefined || now().getTime() - before.created_at.getTime() < IDEMPOTENT_FOR_MS) return before
  await updateEndpoint(trx, before, { idempotency_key: null, fingerprint: null })
  return undefined
}

type NewEndpoint = CreateWebhook & { encrypted_secret: Buffer; idempotency_key?: string; fingerprint?: Buffer }

async function insert(
  { now, newId }: Pick<WebhookDeps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: UserActor,
  fields: NewEndpoint,
): Promise<EndpointRow> {
  const [id, time] = [newId(), now()]
  const { userId, tier } = actor
  const owned = { id, account_id: userId, tier, state: 'active' as const, created_at: time.toISOString() }
  const row = await insertEndpoint(trx, { ...owned, ...fields, name: fields.name.trim() })
  const { name, url, event_types, state } = row
  const event = newEvent(webhookCreated, {
    id: newId(),
    time,
    subject: id,
    account: userId,
    actor,
    data: { endpoint_id: id, account_id: userId, name, after: { name, url, event_types, state } },
  })
  await recordEvent(trx, event)
  return row
}

function fingerprintOf({ name, url, event_types }: CreateWebhook): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([name, url, event_types.toSorted()]))
    .digest()
}

function reused(): AppError {
  return new AppError(
    'idempotency_key.reused',
    'This Idempotency-Key was used for another request within the last 24 hours. Use a new one for each endpoint.',
  )
}

function tooMany(): AppError {
  return new AppError(
    'webhook.limit_reached',
    `An account has at most ${WEBHOOK_ENDPOINTS_MAX} endpoints. Delete one first.`,
  )
}
