import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookDeps } from '../webhook-deps.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { listDue } from './delivery-queries.ts'
import type { WebhookPoster } from './webhook-poster.ts'

/** Concurrent requests to one endpoint. */
const REQUESTS_MAX = 4
/** New and due deliveries of an endpoint are looked up in this interval while others are in progress. */
const POLL_INTERVAL_MS = 500
/** Afterwards the endpoint is queued again, so that it shares the workers with the others. */
const SLICE_MS = 20_000

export type DeliveryDeps = Pick<WebhookDeps, 'db' | 'now' | 'newId' | 'vault'> & { poster: WebhookPoster }

/**
 * Sends the due deliveries of one endpoint, a few at a time, until none is due. Idempotent: what is not recorded when
 * the process ends is sent again. A slow endpoint delays only its own deliveries.
 * @returns the number of attempts
 */
export async function deliverToEndpoint(deps: DeliveryDeps, endpointId: string): Promise<number> {
  const inProgress = new Map<string, Promise<void>>()
  const startedMs = performance.now()
  const failures: unknown[] = []
  let attempts = 0
  for (;;) {
    const free = REQUESTS_MAX - inProgress.size
    const isStopping = performance.now() - startedMs > SLICE_MS || failures.length > 0
    const due =
      free === 0 || isStopping
        ? []
        : await listDue(deps.db, endpointId, { now: deps.now(), limit: free, inProgress: [...inProgress.keys()] })
    for (const row of due) {
      attempts += 1
      const attempt = attemptDelivery(deps, row)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => inProgress.delete(row.id))
      inProgress.set(row.id, attempt)
    }
    if (inProgress.size === 0) break
    await waitForOne([...inProgress.values()])
  }
  if (failures.length > 0) throw failures[0]
  return attempts
}

async function waitForOne(running: Promise<void>[]): Promise<void> {
  const polling = new AbortController()
  const pause = sleep(POLL_INTERVAL_MS, undefined, { signal: polling.signal }).catch(() => {})
  await Promise.race([...running, pause])
  polling.abort()
}
