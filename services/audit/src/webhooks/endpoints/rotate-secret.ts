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
import { type EndpointRow, lockEndpoint, updateEndpoint } from './endpoint-queries.ts'
import { presentEndpoint } from './present-endpoint.ts'
import { newWebhookSecret } from './webhook-secret.ts'

const HOUR_MS = 3_600_000

/**
 * Replaces the secret. Both sign during the overlap. After a rotation within it, the oldest secret signs as well: the
 * response of the first one may have been lost. Without an overlap only the new one signs.
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
    const replaced = replacedSecrets(row, hours, deps.now())
    const saved = await updateEndpoint(trx, row, { encrypted_secret: deps.vault.encrypt(secret), ...replaced })
    const event = newEvent(webhookSecretRotated, {
      id: deps.newId(),
      time: deps.now(),
      subject: id,
      account: actor.userId,
      actor,
      data: {
        endpoint_id: id,
        account_id: actor.userId,
        name: row.name,
        previous_until: replaced.previous_secret_until,
      },
    })
    await recordEvent(trx, event)
    return { endpoint: presentEndpoint(saved, deps.now()), secret }
  })
}

/**
 * The secrets that sign beside the new one, until the later end of this overlap and a running one. Of more than two, those
 * between the oldest and the latest end.
 */
function replacedSecrets(row: EndpointRow, hours: number, now: Date) {
  if (hours === 0) {
    return { previous_encrypted_secret: null, oldest_encrypted_secret: null, previous_secret_until: null }
  }
  const { encrypted_secret, previous_encrypted_secret, oldest_encrypted_secret, previous_secret_until: runs } = row
  const untilMs = now.getTime() + hours * HOUR_MS
  const isOverlapping = runs !== null && runs > now
  return {
    previous_encrypted_secret: encrypted_secret,
    oldest_encrypted_secret: isOverlapping ? (oldest_encrypted_secret ?? previous_encrypted_secret) : null,
    previous_secret_until: new Date(isOverlapping ? Math.max(untilMs, runs.getTime()) : untilMs).toISOString(),
  }
}
