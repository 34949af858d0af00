import type { UserActor } from '@tapeline/contracts/actor'
import { webhookSecretRotated } from '@tapeline/contracts/audit/events'
import {
  type RotateWebhookSecret,
  WEBHOOK_OVERLAP_HOURS,
  type WebhookWithSecret,
} from '@tapeline/contracts/audit/webhooks'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { WebhookDeps } from '../webhook-deps.ts'
import { noSuchWebhook, requireWebhooks } from './check-fields.ts'
import { lockEndpoint, updateEndpoint } from './endpoint-queries.ts'
import { presentEndpoint } from './present-endpoint.ts'
import { newWebhookSecret } from './webhook-secret.ts'

const HOUR_MS = 3_600_000

/**
 * Replaces the secret. Both sign during the overlap; a rotation within it ends the oldest secret immediately.
 * @throws AppError webhook.not_found
 */
export async function rotateSecret(
  deps: WebhookDeps,
  actor: UserActor,
  id: string,
  { overlap_hours: hours = WEBHOOK_OVERLAP_HOURS.default }: RotateWebhookSecret,
): Promise<WebhookWithSecret> {
  requireWebhooks(deps, actor)
  const secret = newWebhookSecret()
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockEndpoint(trx, actor.userId, id)
    if (row === undefined) throw noSuchWebhook()
    const until = hours === 0 ? null : new Date(deps.now().getTime() + hours * HOUR_MS).toISOString()
    const saved = await updateEndpoint(trx, row, {
      encrypted_secret: deps.vault.encrypt(secret),
      previous_encrypted_secret: until === null ? null : row.encrypted_secret,
      previous_secret_until: until,
    })
    const event = newEvent(webhookSecretRotated, {
      id: deps.newId(),
      time: deps.now(),
      subject: id,
      account: actor.userId,
      actor,
      data: { endpoint_id: id, account_id: actor.userId, name: row.name, previous_until: until },
    })
    await recordEvent(trx, event)
    return { endpoint: presentEndpoint(saved, deps.now()), secret }
  })
}
