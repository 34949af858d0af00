import type { UserActor } from '@tapeline/contracts/actor'
import { webhookDeleted } from '@tapeline/contracts/audit/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { WebhookDeps } from '../webhook-deps.ts'
import { noSuchWebhook } from './check-fields.ts'
import { deleteEndpointRow } from './endpoint-queries.ts'

/** Deletes an endpoint with its deliveries, with any tier. @throws AppError webhook.not_found */
export async function deleteWebhook(
  { db, now, newId }: Pick<WebhookDeps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  id: string,
): Promise<{ id: string }> {
  await db.transaction().execute(async (trx) => {
    const row = await deleteEndpointRow(trx, actor.userId, id)
    if (row === undefined) throw noSuchWebhook()
    const event = newEvent(webhookDeleted, {
      id: newId(),
      time: now(),
      subject: id,
      account: actor.userId,
      actor,
      data: { endpoint_id: id, account_id: actor.userId, name: row.name },
    })
    await recordEvent(trx, event)
  })
  return { id }
}
