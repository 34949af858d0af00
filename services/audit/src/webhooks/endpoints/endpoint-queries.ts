import type { Tier } from '@tapeline/contracts/actor'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { WebhookEndpointTable } from '../webhook-tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
export type EndpointRow = Selectable<WebhookEndpointTable>

/** Serializes creations of one account, for their maximum number and their idempotency. */
export async function lockCreation(trx: Trx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhook ${accountId}`}, 0))`.execute(trx)
}

export function listEndpoints(db: Db, accountId: string): Promise<EndpointRow[]> {
  return db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findEndpoint(db: Db, accountId: string, id: string): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockEndpoint(trx: Trx, accountId: string, id: string): Promise<EndpointRow | undefined> {
  return trx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function insertEndpoint(trx: Trx, row: Insertable<WebhookEndpointTable>): Promise<EndpointRow> {
  return trx.insertInto('webhook_endpoint').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateEndpoint(
  trx: Trx,
  { account_id, id }: Pick<EndpointRow, 'account_id' | 'id'>,
  fields: Updateable<WebhookEndpointTable>,
): Promise<EndpointRow> {
  return trx
    .updateTable('webhook_endpoint')
    .set(fields)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteEndpointRow(trx: Trx, accountId: string, id: string): Promise<EndpointRow | undefined> {
  return trx
    .deleteFrom('webhook_endpoint')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the endpoints of a deleted account with their deliveries. */
export async function deleteEndpointsOf(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('webhook_endpoint').where('account_id', '=', accountId).execute()
}

export function findCreation(trx: Trx, accountId: string, idempotencyKey: string): Promise<EndpointRow | undefined> {
  return trx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()
}

export async function setTierOfEndpoints(trx: Trx, accountId: string, tier: Tier): Promise<void> {
  await trx.updateTable('webhook_endpoint').set({ tier }).where('account_id', '=', accountId).execute()
}

/**
 * Deliveries of an inactive account wait until it is active again, and no new ones are created. The time in which it was
 * inactive does not count as time of failures.
 */
export async function setOwnerActive(trx: Trx, accountId: string, isActive: boolean): Promise<void> {
  await trx
    .updateTable('webhook_endpoint')
    .set({ is_owner_active: isActive, ...(isActive ? { failing_since: null } : {}) })
    .where('account_id', '=', accountId)
    .execute()
}

export type HourRow = { endpoint_id: string; at: Date; delivered: string; failed: string; waiting: string }

/** Deliveries per endpoint and hour of their creation. */
export async function countByHour(db: Db, accountId: string, since: Date): Promise<HourRow[]> {
  const { rows } = await sql<HourRow>`
    select endpoint_id, date_trunc('hour', created_at, 'UTC') as at,
      count(*) filter (where state = 'delivered') as delivered,
      count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'waiting') as waiting
    from webhook_delivery
    where endpoint_id in (select id from webhook_endpoint where account_id = ${accountId}::uuid)
      and created_at >= ${since.toISOString()}::timestamptz
    group by 1, 2
    order by 1, 2`.execute(db)
  return rows
}

/** No owner in the condition: the job reads the secrets of all accounts, after the previous page's last endpoint. */
export function listSecrets(db: Db, after: string | undefined, limit: number) {
  let query = db
    .selectFrom('webhook_endpoint')
    .select(['id', 'encrypted_secret', 'previous_encrypted_secret', 'oldest_encrypted_secret'])
  if (after !== undefined) query = query.where('id', '>', after)
  return query.orderBy('id').limit(limit).execute()
}

type Secrets = Pick<EndpointRow, 'id' | 'encrypted_secret' | 'previous_encrypted_secret' | 'oldest_encrypted_secret'>

/** Replaces the secrets with the same ones under another key, unless they were rotated in the meantime. */
export async function replaceSecrets(db: Db, read: Secrets, secrets: Omit<Secrets, 'id'>): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set(secrets)
    .where('id', '=', read.id)
    .where('encrypted_secret', '=', read.encrypted_secret)
    .execute()
}
