import type { UserActor } from '@tapeline/contracts/actor'
import type { ListWebhookDeliveriesQuery, WebhookDeliveryPage } from '@tapeline/contracts/audit/webhooks'
import { readCursor, signCursor } from '../../lists/cursor.ts'
import { noSuchWebhook } from '../endpoints/check-fields.ts'
import { findEndpoint } from '../endpoints/endpoint-queries.ts'
import type { WebhookDeps } from '../webhook-deps.ts'
import { listDeliveryRows } from './delivery-log-queries.ts'
import { presentDelivery } from './present-delivery.ts'

/** A page of an endpoint's deliveries, newest first. @throws AppError webhook.not_found */
export async function listDeliveries(
  deps: Pick<WebhookDeps, 'db' | 'cursorKey' | 'settings'>,
  { userId }: UserActor,
  endpointId: string,
  query: ListWebhookDeliveriesQuery,
): Promise<WebhookDeliveryPage> {
  const call = `webhooks/${endpointId}`
  const { filter, limit, after } = readCursor(deps, call, query)
  if ((await findEndpoint(deps.db, userId, endpointId)) === undefined) throw noSuchWebhook()
  const rows = await listDeliveryRows(deps.db, { endpointId, state: filter.state, after }, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const isLast = rows.length <= limit || last === undefined
  return {
    deliveries: page.map(presentDelivery),
    next_cursor: isLast ? null : signCursor(deps.cursorKey, call, filter, { time: last.place, id: last.id }),
  }
}
