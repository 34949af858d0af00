import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { PushSubscriptionTable, PushTable } from '../notice-tables.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** A browser has one subscription: after another user signs in, it receives nothing for the previous one. */
export async function deleteSubscriptionOfOthers(trx: Trx, userId: string, endpointHash: Buffer): Promise<void> {
  await trx
    .deleteFrom('push_subscription')
    .where('endpoint_hash', '=', endpointHash)
    .where('user_id', '!=', userId)
    .execute()
}

/** Returns the id, and whether the browser is new. */
export async function upsertSubscription(
  trx: Trx,
  row: Insertable<PushSubscriptionTable>,
): Promise<{ id: string; isNew: boolean }> {
  return trx
    .insertInto('push_subscription')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('endpoint_hash')
        .doUpdateSet({ session_id: row.session_id, sealed_subscription: row.sealed_subscription }),
    )
    .returning(['id', sql<boolean>`(xmax = 0)`.as('isNew')])
    .executeTakeFirstOrThrow()
}

/** The oldest ones beyond `kept`. */
export async function deleteOldestSubscriptions(trx: Trx, userId: string, max: number): Promise<void> {
  await trx
    .deleteFrom('push_subscription')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('push_subscription')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(max),
    )
    .execute()
}

export async function deleteSubscription(trx: Trx, userId: string, endpointHash: Buffer): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .where('endpoint_hash', '=', endpointHash)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** No owner: the push service reported that it has ended. */
export async function deleteSubscriptionById(trx: Trx, id: string): Promise<string | undefined> {
  const row = await trx.deleteFrom('push_subscription').where('id', '=', id).returning('user_id').executeTakeFirst()
  return row?.user_id
}

/** Browsers with an active session of the user: neither ended nor expired. */
export async function listActiveSubscriptions(db: Db, userId: string, at: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('push_subscription')
    .innerJoin('session', 'session.id', 'push_subscription.session_id')
    .select('push_subscription.id')
    .where('push_subscription.user_id', '=', userId)
    .where('session.ended_at', 'is', null)
    .where('session.expires_at', '>', at)
    .orderBy('push_subscription.id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertPushes(trx: Trx, rows: Insertable<PushTable>[]): Promise<void> {
  await trx.insertInto('push').values(rows).execute()
}

export type PushRow = Selectable<PushTable> & {
  sealed_subscription: Buffer
  session_ended_at: Date | null
  session_expires_at: Date
}

/** No owner: the queue sends all waiting pushes. */
export function findPush(db: Db, id: string): Promise<PushRow | undefined> {
  return db
    .selectFrom('push')
    .innerJoin('push_subscription', 'push_subscription.id', 'push.subscription_id')
    .innerJoin('session', 'session.id', 'push_subscription.session_id')
    .selectAll('push')
    .select([
      'push_subscription.sealed_subscription',
      'session.ended_at as session_ended_at',
      'session.expires_at as session_expires_at',
    ])
    .where('push.id', '=', id)
    .executeTakeFirst()
}

/** No owner: the queue sends all waiting pushes. Oldest first. */
export async function listWaitingPushes(db: Db, limit: number, after?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('push')
    .select('id')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .$if(after !== undefined, (waiting) =>
      waiting.where(sql<boolean>`(created_at, id) > (select created_at, id from push where id = ${after})`),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function markPushSent(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('push').set({ sent_at: at }).where('id', '=', id).where('sent_at', 'is', null).execute()
}

export async function markPushFailed(db: Db, id: string, { at, failure }: { at: Date; failure: string }) {
  await db
    .updateTable('push')
    .set({ failed_at: at, failure })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** No owner: the job deletes all old pushes. Returns their number: fewer than the limit means that none is left. */
export async function deletePushesBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('push')
    .where('id', 'in', (old) => old.selectFrom('push').select('id').where('created_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
