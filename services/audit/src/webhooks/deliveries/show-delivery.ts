import type { UserActor } from '@tapeline/contracts/actor'
import type { WebhookDeliveryDetail } from '@tapeline/contracts/audit/webhooks'
import { AppError } from '@tapeline/service/app-error'
import { noSuchWebhook } from '../endpoints/check-fields.ts'
import { findEndpoint } from '../endpoints/endpoint-queries.ts'
import type { WebhookDeps } from '../webhook-deps.ts'
import { findDelivery } from './delivery-log-queries.ts'
import { presentDeliveryDetail } from './present-delivery.ts'

export type DeliveryPath = { endpointId: string; deliveryId: string }

/**
 * One delivery with its attempts, its request and the latest answer.
 * @throws AppError webhook.not_found, webhook_delivery.not_found
 */
export async function showDelivery(
  { db }: Pick<WebhookDeps, 'db'>,
  { userId }: UserActor,
  { endpointId, deliveryId }: DeliveryPath,
): Promise<WebhookDeliveryDetail> {
  const endpoint = await findEndpoint(db, userId, endpointId)
  if (endpoint === undefined) throw noSuchWebhook()
  const row = await findDelivery(db, endpointId, deliveryId)
  if (row === undefined) throw noSuchDelivery()
  return presentDeliveryDetail(row, endpoint.url)
}

export function noSuchDelivery(): AppError {
  return new AppError('webhook_delivery.not_found', 'There is no such delivery.')
}
