import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import {
  type CreateWebhook,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  type WebhookWithSecret,
} from '@tapeline/contracts/audit/webhooks'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { domainSubscriptions, marketSubscriptions, subscriptions } from '../src/subscriptions.ts'
import { deliverToEndpoint } from '../src/webhooks/deliveries/deliver-to-endpoint.ts'
import { createWebhookPoster } from '../src/webhooks/deliveries/webhook-poster.ts'
import { openTestApp } from './app.fixture.ts'
import { startReceiver } from './webhooks.fixture.ts'

const STARTS_AT = '2026-03-10T12:34:56.789Z'
const SLICE_MS = 20_000

type TestDeps = Awaited<ReturnType<typeof openTestApp>>['deps']

/** Begins again when a busy machine has used up the time after which an endpoint is queued again. */
async function deliver(deps: TestDeps, endpointId: string, timeoutMs: number): Promise<number> {
  const poster = createWebhookPoster({ rules: deps.addresses, timeoutMs })
  let attempts = 0
  try {
    for (;;) {
      const startedMs = performance.now()
      attempts += await deliverToEndpoint({ ...deps, poster }, endpointId)
      if (performance.now() - startedMs < SLICE_MS) return attempts
    }
  } finally {
    poster.close()
  }
}

/** The service with a receiver of webhooks. `run` delivers what is due at the test's clock. */
export async function openTestWebhooks() {
  const { app, db, deps, clock, close } = await openTestApp(STARTS_AT)
  const receiver = await startReceiver()
  const callWith =
    (headers: Record<string, string>) => (actor: UserActor, method: Call['method'], path: string, body?: unknown) =>
      callAs(app, 'audit', actor, { method, url: `/api/v1/internal/webhooks${path}`, body, headers })
  const call = callWith({})
  const newPath = () => `/${crypto.randomUUID()}`
  const create = async (actor: UserActor, fields: Partial<CreateWebhook> = {}): Promise<WebhookWithSecret> => {
    const input = { name: 'orders', url: receiver.url(newPath()), event_types: [...WEBHOOK_EVENT_TYPES], ...fields }
    const answer = await call(actor, 'POST', '', input)
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json().data
  }
  return {
    app,
    db,
    deps,
    clock,
    receiver,
    call,
    callWith,
    create,
    /** An account with an endpoint at its own path. */
    subscriber: async (fields: Partial<CreateWebhook> = {}) => {
      const [actor, path] = [someUser({ tier: 'basic' }), newPath()]
      const { endpoint, secret } = await create(actor, { url: receiver.url(path), ...fields })
      return { actor, path, secret, endpoint, id: endpoint.id }
    },
    /** Applies an event as the consumers do, twice. */
    announce: (event: Event<unknown>) =>
      deliverTwice(db, [...subscriptions(deps), ...domainSubscriptions(deps), ...marketSubscriptions(deps)], event),
    keyCreated: ({ userId }: UserActor, name = 'ci') =>
      newEvent(apiKeyCreated, {
        id: deps.newId(),
        time: deps.now(),
        subject: 'key-1',
        account: userId,
        actor: { kind: 'service', service: 'api-key' },
        data: { key_id: 'key-1', kid: 'k1', account_id: userId, name, version: 7 },
      }),
    /** `timeoutMs` for tests whose receiver never answers. */
    run: (endpointId: string, timeoutMs = 30_000) => deliver(deps, endpointId, timeoutMs),
    deliveries: async (actor: UserActor, endpointId: string, query = ''): Promise<WebhookDelivery[]> => {
      const answer = await call(actor, 'GET', `/${endpointId}/deliveries${query}`)
      return answer.json().data.deliveries
    },
    detail: async (actor: UserActor, endpointId: string, deliveryId: string): Promise<WebhookDeliveryDetail> => {
      return (await call(actor, 'GET', `/${endpointId}/deliveries/${deliveryId}`)).json().data
    },
    close: async () => {
      await receiver.close()
      await close()
    },
  }
}
