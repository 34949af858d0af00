import type { WebhookDeliveryState } from '@tapeline/contracts/audit/webhooks'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { DeliveryRow } from './delivery-queries.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export type DeliveryScan = {
  endpointId: string
  state: WebhookDeliveryState | undefined
  after: { time: string; id: string } | undefined
}

/** The next page, newest first. The caller has checked the owner of the endpoint. */
export function listDeliveryRows(db: Db, { endpointId, state, after }: DeliveryScan, limit: number) {
  let query = db
    .selectFrom('webhook_delivery')
    .selectAll()
    .select(sql<string>`created_at::text`.as('place'))
    .where('endpoint_id', '=', endpointId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (after !== undefined) {
    query = query.where(sql<boolean>`(created_at, id) < (${after.time}::timestamptz, ${after.id}::uuid)`)
  }
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

export function findDelivery(db: Db, endpointId: string, id: string): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Makes a delivery due now, with all its attempts again. */
export async function markDue(trx: Trx, endpointId: string, id: string, now: Date): Promise<DeliveryRow | undefined> {
  return trx
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', due_at: now.toISOString(), tries: 0 })
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

type Range = { from: Date; to: Date; states: readonly WebhookDeliveryState[]; limit: number }

/** As `markDue` for the settled deliveries of a range, oldest first; at most `limit`. */
export async function markRangeDue(trx: Trx, endpointId: string, range: Range, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_delivery set state = 'waiting', due_at = ${now.toISOString()}::timestamptz, tries = 0
    where id in (
      select id from webhook_delivery
      where endpoint_id = ${endpointId}::uuid and state = any(${[...range.states]}::text[])
        and created_at >= ${range.from.toISOString()}::timestamptz and created_at < ${range.to.toISOString()}::timestamptz
      order by created_at, id
      limit ${range.limit}
    )`.execute(trx)
  return Number(numAffectedRows)
}

/** Whether the range has settled deliveries. The caller has checked the owner of the endpoint. */
export async function hasSettledInRange(trx: Trx, endpointId: string, range: Omit<Range, 'limit'>): Promise<boolean> {
  const row = await trx
    .selectFrom('webhook_delivery')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .where('state', 'in', [...range.states])
    .where('created_at', '>=', sql<Date>`${range.from.toISOString()}::timestamptz`)
    .where('created_at', '<', sql<Date>`${range.to.toISOString()}::timestamptz`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** No owner in the condition: the job deletes for all accounts. Returns the number of deleted rows. */
export async function deleteDeliveriesBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where created_at < ${before.toISOString()}::timestamptz limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
