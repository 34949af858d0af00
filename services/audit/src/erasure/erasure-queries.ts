import { type Kysely, sql, type Transaction } from 'kysely'
import { isOfAccount } from '../request-log/source-queries.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export async function insertErasedAccount(trx: Trx, accountId: string, deletedAt: Date): Promise<void> {
  await trx
    .insertInto('erased_account')
    .values({ account_id: accountId, deleted_at: deletedAt.toISOString(), settled_at: null, archive_erased_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type PendingErasure = { account_id: string; deleted_at: Date; archive_erased_at: Date | null }

/**
 * No owner in the condition: the job erases all deleted accounts. Earliest deletion first, starting after the
 * previous page's last one.
 */
export function listPendingErasures(
  db: Db,
  after: PendingErasure | undefined,
  limit: number,
): Promise<PendingErasure[]> {
  return db
    .selectFrom('erased_account')
    .select(['account_id', 'deleted_at', 'archive_erased_at'])
    .where('settled_at', 'is', null)
    .$if(after !== undefined, (accounts) =>
      accounts.where(
        sql<boolean>`(deleted_at, account_id) > (${after?.deleted_at}::timestamptz, ${after?.account_id}::uuid)`,
      ),
    )
    .orderBy('deleted_at')
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

export async function markErased(db: Db, accountId: string, at: Date): Promise<void> {
  await db
    .updateTable('erased_account')
    .set({ settled_at: at.toISOString() })
    .where('account_id', '=', accountId)
    .execute()
}

export async function markArchiveErased(db: Db, accountId: string, at: Date): Promise<void> {
  await db
    .updateTable('erased_account')
    .set({ archive_erased_at: at.toISOString() })
    .where('account_id', '=', accountId)
    .execute()
}

/** Allows this transaction to change entries of the trail. */
export async function allowErasing(trx: Trx): Promise<void> {
  await sql`set local tapeline.erasing = 'on'`.execute(trx)
}

/**
 * Keeps what happened and when, with the account's id, which no longer identifies a person, and the hash of the rest,
 * which cannot be guessed without the salt.
 */
export async function blankEntries(trx: Trx, scope: string): Promise<void> {
  await sql`
    update audit_trail set network = null, before = null, after = null, reason = null, details = '{}', salt = null
    where scope = ${scope} and (salt is not null or personal_hash is null)`.execute(trx)
}

/** Whether a chain has entries of a release that hashed all fields together. */
export async function hasUnsaltedEntries(trx: Trx, scope: string): Promise<boolean> {
  const row = await trx
    .selectFrom('audit_trail')
    .select('id')
    .where('scope', '=', scope)
    .where('personal_hash', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the number of changed rows: fewer than the limit means that none is left. */
export async function blankNetworksOfRows(
  db: Db,
  accountId: string,
  name: 'request_log' | 'usage_event' | 'usage_stream',
  limit: number,
): Promise<number> {
  const table = sql.table(name)
  const isOwn = isOfAccount(name === 'request_log' ? 'request_log_row' : 'usage_event', accountId)
  const { numAffectedRows = 0n } = await sql`
    update ${table} set network = ''
    where ${isOwn} and (id, time) in (select id, time from ${table} where ${isOwn} and network <> '' limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** The sums remain consistent with their rows. */
export async function blankNetworkSums(
  db: Db,
  accountId: string,
  name: 'usage_network' | 'usage_network_day',
): Promise<void> {
  const table = sql.table(name)
  await sql`
    with gone as (delete from ${table} where account_id = ${accountId}::uuid and network <> '' returning *)
    insert into ${table} as n (account_id, bucket_at, network, key_id, route, outcome, requests, last_at)
    select account_id, bucket_at, '', key_id, route, outcome, sum(requests), max(last_at) from gone
    group by account_id, bucket_at, key_id, route, outcome
    on conflict (account_id, bucket_at, network, key_id, route, outcome) do update set
      requests = n.requests + excluded.requests,
      last_at = greatest(n.last_at, excluded.last_at)`.execute(db)
}

/** Deletes notifications, names of keys, events for open streams, reports and webhooks. */
export async function deletePersonalRows(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('notification').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('known_key').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('webhook_endpoint').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('usage_alert').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('custom_report').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('stream_event').where('scope', '=', accountId).execute()
}
