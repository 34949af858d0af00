import {
  type DeliveryQueue,
  type DeliveryQueueOptions,
  startDeliveryQueue,
} from '@tapeline/service/outbound/delivery-queue'
import { type DeliveryDeps, deliverToEndpoint } from './deliver-to-endpoint.ts'
import { findNextDue, listDueEndpoints } from './delivery-queries.ts'

/** Endpoints served concurrently. A slow endpoint occupies one place, so there are many places. */
const ENDPOINTS_AT_ONCE = 250
const POLL_INTERVAL_MS = 500
const LOCK_MS = 10_000
const RETRY = { attempts: 20, backoff: { type: 'fixed' as const, delay: 1_000 } }

/** One job per endpoint with due deliveries: the database stores what is due, so nothing is lost with Redis. */
export function startWebhookQueue(deps: DeliveryDeps, options: DeliveryQueueOptions): DeliveryQueue {
  return startDeliveryQueue(
    {
      what: 'webhooks of an endpoint',
      announced: { as: ['webhook_delivery', 'webhook_endpoint'], nextDue: () => findNextDue(deps.db) },
      listWaiting: (limit, after) => listDueEndpoints(deps.db, deps.now(), { limit, after }),
      deliver: (endpointId) => deliverToEndpoint(deps, endpointId),
      retry: RETRY,
      atOnce: ENDPOINTS_AT_ONCE,
      pollIntervalMs: POLL_INTERVAL_MS,
      lockMs: LOCK_MS,
    },
    options,
  )
}
