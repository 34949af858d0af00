import type { UserActor } from '@tapeline/contracts/actor'
import { WEBHOOK_TEST_TYPE, type WebhookDelivery } from '@tapeline/contracts/audit/webhooks'
import { AppError } from '@tapeline/service/app-error'
import { noSuchWebhook, requireWebhooks } from '../endpoints/check-fields.ts'
import { lockEndpoint } from '../endpoints/endpoint-queries.ts'
import type { WebhookDeps } from '../webhook-deps.ts'
import { countOfTypeSince, insertTestDelivery } from './delivery-queries.ts'
import { presentDelivery } from './present-delivery.ts'
import { inactive } from './redeliver.ts'

const TESTS_PER_MINUTE = 10
const MINUTE_MS = 60_000
const RETRY_AFTER_S = 60

/**
 * Queues a delivery of type `webhook.test`, which is signed, retried and logged like any other.
 * @throws AppError webhook.not_found, webhook.inactive, webhook.too_many_tests
 */
export async function sendTest(
  deps: Pick<WebhookDeps, 'db' | 'now' | 'newId' | 'settings'>,
  actor: UserActor,
  endpointId: string,
): Promise<WebhookDelivery> {
  requireWebhooks(deps, actor)
  const now = deps.now()
  return deps.db.transaction().execute(async (trx) => {
    const endpoint = await lockEndpoint(trx, actor.userId, endpointId)
    if (endpoint === undefined) throw noSuchWebhook()
    if (endpoint.state !== 'active') throw inactive()
    const sent = await countOfTypeSince(trx, endpointId, WEBHOOK_TEST_TYPE, new Date(now.getTime() - MINUTE_MS))
    if (sent >= TESTS_PER_MINUTE) throw tooMany()
    const row = await insertTestDelivery(trx, {
      endpointId,
      eventId: deps.newId(),
      accountId: actor.userId,
      type: WEBHOOK_TEST_TYPE,
      subject: endpoint.name,
      occurredAt: now,
      data: { endpoint_id: endpointId, text: 'This is a test. No action is needed.' },
    })
    return presentDelivery(row)
  })
}

function tooMany(): AppError {
  return new AppError(
    'webhook.too_many_tests',
    `An endpoint accepts at most ${TESTS_PER_MINUTE} test events per minute.`,
    {
      retryAfterSeconds: RETRY_AFTER_S,
    },
  )
}
