import type {
  CreateWebhook,
  RedeliveredWebhooks,
  RedeliverWebhooks,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookDeliveryState,
  WebhookList,
  WebhookWithSecret,
} from '@tapeline/contracts/audit/webhooks'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'
import { queryClient } from '../../queries.ts'

const WEBHOOKS = '/api/v1/internal/webhooks'
/** Deliveries arrive while the page is open. */
const REFETCH_MS = 5_000
const PER_PAGE = 25

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => api.data<WebhookList>({ path: WEBHOOKS, signal }),
  refetchInterval: REFETCH_MS,
})

/** Below the key of `webhooksQuery`: every change of an endpoint invalidates its deliveries, too. */
export function deliveriesQuery(endpointId: string, state: WebhookDeliveryState | undefined) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', endpointId, 'deliveries', state],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: WebhookDeliveryPage) => page.next_cursor ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api.data<WebhookDeliveryPage>({
        path: `${WEBHOOKS}/${endpointId}/deliveries`,
        query: { limit: PER_PAGE, cursor: pageParam, state },
        signal,
      }),
    refetchInterval: REFETCH_MS,
  })
}

export type DeliveryName = Pick<WebhookDelivery, 'endpoint_id' | 'id'>

export function deliveryQuery({ endpoint_id, id }: DeliveryName) {
  return queryOptions({
    queryKey: ['webhooks', endpoint_id, 'delivery', id],
    queryFn: ({ signal }) =>
      api.data<WebhookDeliveryDetail>({ path: `${WEBHOOKS}/${endpoint_id}/deliveries/${id}`, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? REFETCH_MS : false),
  })
}

export async function createWebhook(body: CreateWebhook): Promise<WebhookWithSecret> {
  return changed(api.data<WebhookWithSecret>({ method: 'POST', path: WEBHOOKS, body }))
}

export async function updateWebhook(id: string, body: UpdateWebhook): Promise<Webhook> {
  return changed(api.data<Webhook>({ method: 'PUT', path: `${WEBHOOKS}/${id}`, body }))
}

export async function deleteWebhook(id: string): Promise<void> {
  await changed(api.send({ method: 'DELETE', path: `${WEBHOOKS}/${id}` }))
}

/** The replaced secret also signs for a day. */
export async function rotateSecret(id: string): Promise<WebhookWithSecret> {
  return changed(api.data<WebhookWithSecret>({ method: 'POST', path: `${WEBHOOKS}/${id}/rotate-secret`, body: {} }))
}

export async function sendTest(id: string): Promise<void> {
  await changed(api.send({ method: 'POST', path: `${WEBHOOKS}/${id}/test` }))
}

export async function redeliver({ endpoint_id, id }: DeliveryName): Promise<void> {
  await changed(api.send({ method: 'POST', path: `${WEBHOOKS}/${endpoint_id}/deliveries/${id}/redeliver` }))
}

/** Settled deliveries created in the range; answers how many were queued, and whether more remain. */
export async function redeliverRange(id: string, body: RedeliverWebhooks): Promise<RedeliveredWebhooks> {
  const path = `${WEBHOOKS}/${id}/redeliver`
  return changed(api.data<RedeliveredWebhooks>({ method: 'POST', path, body }))
}

async function changed<Result>(call: Promise<Result>): Promise<Result> {
  const result = await call
  await queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  return result
}
