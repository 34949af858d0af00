import type { Tier } from '@tapeline/contracts/actor'
import type {
  WebhookAttempt,
  WebhookDeliveryState,
  WebhookDisabledReason,
  WebhookEventType,
} from '@tapeline/contracts/audit/webhooks'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { StoredAnswer, WebhookDeliveryTable } from '../webhook-tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
export type DeliveryRow = Selectable<WebhookDeliveryTable>

/** Attempts stored per delivery: the latest ones. */
const ATTEMPTS_KEPT = 40

/** An event for the endpoints that subscribe to its type. `accountId` null: of all accounts. */
export type WebhookMessage = {
  eventId: string
  accountId: string | null
  type: WebhookEventType
  subject: string
  occurredAt: Date
  data: object
}
type Recipients = { tiers: readonly Tier[]; now: Date }

/**
 * Creates one delivery per subscribed endpoint, with its next sequence number. That of a disabled endpoint is failed, so
 * that it can be redelivered. Idempotent: an endpoint gets an event once. Locks the endpoints in the order of their ids.
 * @returns the number of new deliveries
 */
export async function insertDeliveries(trx: Trx, message: WebhookMessage, { tiers, now }: Recipients): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with chosen as (
      select id from webhook_endpoint e
      where (${message.accountId}::uuid is null or account_id = ${message.accountId}::uuid)
        and is_owner_active and ${message.type} = any(event_types)
        and tier = any(${[...tiers]}::text[])
        and not exists (
          select from webhook_delivery d where d.endpoint_id = e.id and d.event_id = ${message.eventId}::uuid
        )
      order by id
      for update
    ), numbered as (
      update webhook_endpoint e set next_sequence = next_sequence + 1 from chosen where e.id = chosen.id
      returning e.id, e.account_id, e.next_sequence - 1 as sequence, e.state
    )
    insert into webhook_delivery
      (endpoint_id, account_id, sequence, event_id, type, subject, occurred_at, data, state, due_at, created_at)
    select id, account_id, sequence, ${message.eventId}::uuid, ${message.type}, ${message.subject},
      ${message.occurredAt.toISOString()}::timestamptz, ${JSON.stringify(message.data)}::jsonb,
      case when state = 'disabled' then 'failed' else 'waiting' end,
      ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from numbered`.execute(trx)
  return Number(numAffectedRows)
}

type TestMessage = Omit<WebhookMessage, 'type'> & { endpointId: string; type: string }

/** One delivery to one endpoint, regardless of its subscriptions. */
export async function insertTestDelivery(trx: Trx, message: TestMessage): Promise<DeliveryRow> {
  const at = message.occurredAt.toISOString()
  const { rows } = await sql<DeliveryRow>`
    with numbered as (
      update webhook_endpoint set next_sequence = next_sequence + 1 where id = ${message.endpointId}::uuid
      returning id, account_id, next_sequence - 1 as sequence
    )
    insert into webhook_delivery
      (endpoint_id, account_id, sequence, event_id, type, subject, occurred_at, data, due_at, created_at)
    select id, account_id, sequence, ${message.eventId}::uuid, ${message.type}, ${message.subject}, ${at}::timestamptz,
      ${JSON.stringify(message.data)}::jsonb, ${at}::timestamptz, ${at}::timestamptz
    from numbered
    returning *`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('the endpoint does not exist')
  return row
}

export async function countOfTypeSince(db: Db, endpointId: string, type: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_delivery')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('endpoint_id', '=', endpointId)
    .where('type', '=', type)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The active accounts among these with an endpoint for the type. */
export async function listSubscribers(
  db: Db,
  accountIds: readonly string[],
  type: WebhookEventType,
): Promise<Set<string>> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from webhook_endpoint
    where account_id = any(${[...accountIds]}::uuid[]) and is_owner_active and ${type} = any(event_types)`.execute(db)
  return new Set(rows.map(({ account_id: id }) => id))
}

/** No owner in the condition: the queue delivers for all accounts. Endpoints with a due delivery, in order of id. */
export async function listDueEndpoints(
  db: Db,
  now: Date,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from webhook_endpoint e
    where e.state = 'active' and e.is_owner_active and (${after ?? null}::uuid is null or e.id > ${after ?? null}::uuid)
      and exists (
        select from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.due_at <= ${now.toISOString()}::timestamptz
      )
    order by e.id
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** No owner in the condition: when the next delivery to an active endpoint is due. */
export async function findNextDue(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(d.due_at) as due from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    where e.state = 'active' and e.is_owner_active and d.state = 'waiting'`.execute(db)
  return rows[0]?.due ?? undefined
}

/** A due delivery with what its request needs. */
export type DueDelivery = DeliveryRow & {
  url: string
  encrypted_secret: Buffer
  previous_encrypted_secret: Buffer | null
  oldest_encrypted_secret: Buffer | null
  previous_secret_until: Date | null
}

/** The deliveries of an active endpoint that are due, earliest first, without those in progress. */
export async function listDue(
  db: Db,
  endpointId: string,
  { now, limit, inProgress }: { now: Date; limit: number; inProgress: readonly string[] },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select d.*, e.url, e.encrypted_secret, e.previous_encrypted_secret, e.oldest_encrypted_secret,
      e.previous_secret_until
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    where d.endpoint_id = ${endpointId}::uuid and e.state = 'active' and e.is_owner_active and d.state = 'waiting'
      and d.due_at <= ${now.toISOString()}::timestamptz and d.id <> all(${[...inProgress]}::uuid[])
    order by d.due_at, d.sequence
    limit ${limit}`.execute(db)
  return rows
}

export type AttemptResult = {
  state: WebhookDeliveryState
  attempt: WebhookAttempt
  answer: StoredAnswer | null
  /** Start of the next attempt, for a delivery that still waits. */
  dueAt: Date
}

/**
 * Stores an attempt of the delivery as it was read for it. One that was settled in the meantime keeps its state; one that
 * is to be sent again also keeps its due time and all its attempts.
 */
export async function recordAttempt(
  trx: Trx,
  { id, tries, due_at: wasDueAt }: Pick<DeliveryRow, 'id' | 'tries' | 'due_at'>,
  { state, attempt, answer, dueAt }: AttemptResult,
): Promise<void> {
  // A `Date` has no microseconds.
  const isUnchanged = sql`(tries = ${tries} and date_trunc('milliseconds', due_at) = ${wasDueAt.toISOString()}::timestamptz)`
  await sql`
    update webhook_delivery set
      state = case when state = 'waiting' and ${isUnchanged} then ${state} else state end,
      due_at = case when ${isUnchanged} then ${dueAt.toISOString()}::timestamptz else due_at end,
      tries = case when ${isUnchanged} then tries + 1 else tries end,
      attempts = case when jsonb_array_length(attempts) >= ${ATTEMPTS_KEPT} then attempts - 0 else attempts end
        || ${JSON.stringify([attempt])}::jsonb,
      answer = coalesce(${answer === null ? null : JSON.stringify(answer)}::jsonb, answer)
    where id = ${id}::uuid`.execute(trx)
}

export async function clearFailing(trx: Trx, endpointId: string): Promise<void> {
  await trx
    .updateTable('webhook_endpoint')
    .set({ failing_since: null })
    .where('id', '=', endpointId)
    .where('failing_since', 'is not', null)
    .execute()
}

export type FailingEndpoint = { id: string; account_id: string; name: string; failing_since: Date }

/** Returns the endpoint while it is active, with the time of its first failure since the last success. */
export async function markFailing(trx: Trx, endpointId: string, at: Date): Promise<FailingEndpoint | undefined> {
  const { rows } = await sql<FailingEndpoint>`
    update webhook_endpoint set failing_since = coalesce(failing_since, ${at.toISOString()}::timestamptz)
    where id = ${endpointId}::uuid and state = 'active'
    returning id, account_id, name, failing_since`.execute(trx)
  return rows[0]
}

/** Ends the waiting deliveries as well. */
export async function markDisabled(trx: Trx, endpointId: string, reason: WebhookDisabledReason): Promise<void> {
  await trx
    .updateTable('webhook_endpoint')
    .set({ state: 'disabled', disabled_reason: reason })
    .where('id', '=', endpointId)
    .execute()
  await trx
    .updateTable('webhook_delivery')
    .set({ state: 'failed' })
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .execute()
}
