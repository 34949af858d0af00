import { WEBHOOK_DELIVERIES_KEPT_DAYS } from '@tapeline/contracts/audit/webhooks'
import type { WebhookDeps } from '../webhook-deps.ts'
import { deleteDeliveriesBefore } from './delivery-log-queries.ts'

const DAY_MS = 86_400_000
const BATCH_ROWS = 5_000

/** Job. Deletes deliveries after 30 days, delivered or not. */
export async function pruneDeliveries({ db, now }: Pick<WebhookDeps, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - WEBHOOK_DELIVERIES_KEPT_DAYS * DAY_MS)
  let deleted = 0
  for (;;) {
    const batch = await deleteDeliveriesBefore(db, before, BATCH_ROWS)
    deleted += batch
    if (batch < BATCH_ROWS) return deleted
  }
}
