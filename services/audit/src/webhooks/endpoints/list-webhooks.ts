import type { UserActor } from '@tapeline/contracts/actor'
import { WEBHOOK_ENDPOINTS_MAX, type WebhookList } from '@tapeline/contracts/audit/webhooks'
import type { WebhookDeps } from '../webhook-deps.ts'
import { hasWebhooks } from './check-fields.ts'
import { countByHour, listEndpoints } from './endpoint-queries.ts'
import { presentEndpoint } from './present-endpoint.ts'

const HOUR_MS = 3_600_000
const HOURS_SHOWN = 24

/** The account's endpoints, oldest first, with their deliveries of the last 24 hours. */
export async function listWebhooks(
  { db, now }: Pick<WebhookDeps, 'db' | 'now'>,
  actor: UserActor,
): Promise<WebhookList> {
  const at = now()
  const firstHour = new Date(Math.floor(at.getTime() / HOUR_MS - HOURS_SHOWN + 1) * HOUR_MS)
  const [rows, hours] = await Promise.all([listEndpoints(db, actor.userId), countByHour(db, actor.userId, firstHour)])
  return {
    endpoints: rows.map((row) =>
      presentEndpoint(
        row,
        at,
        hours.filter(({ endpoint_id: id }) => id === row.id),
      ),
    ),
    endpoints_max: WEBHOOK_ENDPOINTS_MAX,
    is_included: hasWebhooks(actor),
  }
}
