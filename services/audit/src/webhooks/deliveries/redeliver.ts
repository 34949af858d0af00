import type { UserActor } from '@tapeline/contracts/actor'
import type { RedeliveredWebhooks, RedeliverWebhooks, WebhookDelivery } from '@tapeline/contracts/audit/webhooks'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import { readTime } from '../../lists/read-time.ts'
import type { Tables } from '../../tables.ts'
import { noSuchWebhook, requireWebhooks } from '../endpoints/check-fields.ts'
import { lockEndpoint } from '../endpoints/endpoint-queries.ts'
import type { WebhookDeps } from '../webhook-deps.ts'
import { hasSettledInRange, markDue, markRangeDue } from './delivery-log-queries.ts'
import { presentDelivery } from './present-delivery.ts'
import { type DeliveryPath, noSuchDelivery } from './show-delivery.ts'

/** Deliveries that one call sends again at most. */
const RANGE_MAX = 10_000

/**
 * Sends a delivery again, now, with the same message id and sequence number.
 * @throws AppError webhook_delivery.not_found
 */
export function redeliver(
  deps: Pick<WebhookDeps, 'db' | 'now' | 'settings'>,
  actor: UserActor,
  { endpointId, deliveryId }: DeliveryPath,
): Promise<WebhookDelivery> {
  return onEndpoint(deps, actor, endpointId, async (trx) => {
    const row = await markDue(trx, endpointId, deliveryId, deps.now())
    if (row === undefined) throw noSuchDelivery()
    return presentDelivery(row)
  })
}

/** Sends the settled deliveries of a range again: the failed ones unless `state` selects others; at most 10,000. */
export function redeliverRange(
  deps: Pick<WebhookDeps, 'db' | 'now' | 'settings'>,
  actor: UserActor,
  endpointId: string,
  { from, to, state = 'failed' }: RedeliverWebhooks,
): Promise<RedeliveredWebhooks> {
  const range = { from: readTime('/from', from), to: readTime('/to', to), states: [state], limit: RANGE_MAX }
  return onEndpoint(deps, actor, endpointId, async (trx) => {
    const redelivered = await markRangeDue(trx, endpointId, range, deps.now())
    return { redelivered, has_more: redelivered === RANGE_MAX && (await hasSettledInRange(trx, endpointId, range)) }
  })
}

async function onEndpoint<T>(
  deps: Pick<WebhookDeps, 'db' | 'settings'>,
  actor: UserActor,
  id: string,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  requireWebhooks(deps, actor)
  return deps.db.transaction().execute(async (trx) => {
    const endpoint = await lockEndpoint(trx, actor.userId, id)
    if (endpoint === undefined) throw noSuchWebhook()
    if (endpoint.state !== 'active') throw inactive()
    return work(trx)
  })
}

export function inactive(): AppError {
  return new AppError('webhook.inactive', 'The endpoint is not active. Activate it first.')
}
