import { Answer, answer } from '@tapeline/contracts/answer'
import {
  CreateWebhook,
  DeletedWebhook,
  ListWebhookDeliveriesQuery,
  RedeliveredWebhooks,
  RedeliverWebhooks,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookCreatedBefore,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookList,
  WebhookWithSecret,
} from '@tapeline/contracts/audit/webhooks'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { IdempotencyHeaders, readIdempotencyKey } from '@tapeline/service/calls/idempotency-header'
import { Type } from 'typebox'
import { listDeliveries } from './deliveries/list-deliveries.ts'
import { redeliver, redeliverRange } from './deliveries/redeliver.ts'
import { sendTest } from './deliveries/send-test.ts'
import { showDelivery } from './deliveries/show-delivery.ts'
import { createWebhook } from './endpoints/create-webhook.ts'
import { deleteWebhook } from './endpoints/delete-webhook.ts'
import { listWebhooks } from './endpoints/list-webhooks.ts'
import { rotateSecret } from './endpoints/rotate-secret.ts'
import { updateWebhook } from './endpoints/update-webhook.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const WEBHOOKS = '/api/v1/internal/webhooks'
const owner = { access: { role: 'user', serviceScope: 'webhooks:write' } } as const
const Uuid = Type.String({ format: 'uuid' })
const OfEndpoint = Type.Object({ id: Uuid })
const OfDelivery = Type.Object({ id: Uuid, delivery_id: Uuid })

/** Endpoints of an account, their secrets, and their deliveries. */
export function addWebhookRoutes(app: Server, deps: WebhookDeps): void {
  addEndpointRoutes(app, deps)
  addDeliveryRoutes(app, deps)
}

function addEndpointRoutes(app: Server, deps: WebhookDeps): void {
  app.get(WEBHOOKS, { config: owner, schema: { response: { 200: Answer(WebhookList) } } }, async (request) =>
    answer('Webhook endpoints', await listWebhooks(deps, userOf(request))),
  )
  const created = { 201: Answer(Type.Union([WebhookWithSecret, WebhookCreatedBefore])) }
  app.post(
    WEBHOOKS,
    { config: owner, schema: { headers: IdempotencyHeaders, body: CreateWebhook, response: created } },
    async (request, reply) => {
      const idempotencyKey = readIdempotencyKey(request.headers)
      const result = await createWebhook(deps, userOf(request), { input: request.body, idempotencyKey })
      if ('created' in result) return reply.code(201).send(answer('Endpoint created', result.created))
      return reply
        .code(201)
        .header('idempotent-replayed', 'true')
        .send(answer('Endpoint created before: its secret was shown then', result.createdBefore))
    },
  )
  app.put(
    `${WEBHOOKS}/:id`,
    { config: owner, schema: { params: OfEndpoint, body: UpdateWebhook, response: { 200: Answer(Webhook) } } },
    async (request) =>
      answer('Endpoint saved', await updateWebhook(deps, userOf(request), request.params.id, request.body)),
  )
  app.delete(
    `${WEBHOOKS}/:id`,
    { config: owner, schema: { params: OfEndpoint, response: { 200: Answer(DeletedWebhook) } } },
    async (request) => answer('Endpoint deleted', await deleteWebhook(deps, userOf(request), request.params.id)),
  )
  const rotation = { params: OfEndpoint, body: RotateWebhookSecret, response: { 200: Answer(WebhookWithSecret) } }
  app.post(`${WEBHOOKS}/:id/rotate-secret`, { config: owner, schema: rotation }, async (request) =>
    answer('Secret replaced', await rotateSecret(deps, userOf(request), request.params.id, request.body)),
  )
}

function addDeliveryRoutes(app: Server, deps: WebhookDeps): void {
  app.post(
    `${WEBHOOKS}/:id/test`,
    { config: owner, schema: { params: OfEndpoint, response: { 202: Answer(WebhookDelivery) } } },
    async (request, reply) =>
      reply.code(202).send(answer('Test event queued', await sendTest(deps, userOf(request), request.params.id))),
  )
  const page = {
    params: OfEndpoint,
    querystring: ListWebhookDeliveriesQuery,
    response: { 200: Answer(WebhookDeliveryPage) },
  }
  app.get(`${WEBHOOKS}/:id/deliveries`, { config: owner, schema: page }, async (request) =>
    answer('Deliveries', await listDeliveries(deps, userOf(request), request.params.id, request.query)),
  )
  app.get(
    `${WEBHOOKS}/:id/deliveries/:delivery_id`,
    { config: owner, schema: { params: OfDelivery, response: { 200: Answer(WebhookDeliveryDetail) } } },
    async (request) => answer('Delivery', await showDelivery(deps, userOf(request), pathOf(request.params))),
  )
  app.post(
    `${WEBHOOKS}/:id/deliveries/:delivery_id/redeliver`,
    { config: owner, schema: { params: OfDelivery, response: { 202: Answer(WebhookDelivery) } } },
    async (request, reply) => {
      const delivery = await redeliver(deps, userOf(request), pathOf(request.params))
      return reply.code(202).send(answer('Delivery queued', delivery))
    },
  )
  const range = { params: OfEndpoint, body: RedeliverWebhooks, response: { 202: Answer(RedeliveredWebhooks) } }
  app.post(`${WEBHOOKS}/:id/redeliver`, { config: owner, schema: range }, async (request, reply) => {
    const queued = await redeliverRange(deps, userOf(request), request.params.id, request.body)
    return reply.code(202).send(answer('Deliveries queued', queued))
  })
}

function pathOf({ id, delivery_id }: { id: string; delivery_id: string }) {
  return { endpointId: id, deliveryId: delivery_id }
}
