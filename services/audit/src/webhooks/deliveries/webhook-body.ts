import type { DeliveryRow } from './delivery-queries.ts'

type Sent = Pick<DeliveryRow, 'event_id' | 'type' | 'occurred_at' | 'sequence' | 'data'>

/** The id that a receiver can deduplicate by: the same in all attempts. */
export function messageIdOf({ event_id: id }: Pick<DeliveryRow, 'event_id'>): string {
  return `evt_${id}`
}

/** The same text in every attempt. `timestamp` is the event's, not the attempt's. */
export function webhookBody(row: Sent): string {
  return JSON.stringify({
    id: messageIdOf(row),
    type: row.type,
    timestamp: row.occurred_at.toISOString(),
    sequence: Number(row.sequence),
    data: row.data,
  })
}
