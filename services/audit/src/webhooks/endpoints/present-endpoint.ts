import type { Webhook } from '@tapeline/contracts/audit/webhooks'
import type { EndpointRow, HourRow } from './endpoint-queries.ts'

/** Converts a row to its public form, without its secrets. */
export function presentEndpoint(row: EndpointRow, now: Date, hours: readonly HourRow[] = []): Webhook {
  const until = row.previous_secret_until
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    event_types: row.event_types,
    state: row.state,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: until !== null && until > now ? until.toISOString() : null,
    created_at: row.created_at.toISOString(),
    hours: hours.map(({ at, delivered, failed, waiting }) => ({
      at: at.toISOString(),
      delivered: Number(delivered),
      failed: Number(failed),
      waiting: Number(waiting),
    })),
  }
}
