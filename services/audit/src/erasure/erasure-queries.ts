import { type Kysely, sql, type Transaction } from 'kysely'
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

/** Also deletes the progress of the erasure, which is over. */
export async function markErased(db: Db, accountId: string, at: Date): Promise<void> {
  await sql`
    with settled as (
      update erased_account set settled_at = ${at.toISOString()}::timestamptz where account_id = ${accountId}::uuid
      returning account_id
    )
    delete from erasure_pass where account_id in (select account_id from settled)`.execute(db)
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

/** Position of the last of a chain's first `limit` entries after a position; undefined: it has fewer. */
export async function findEntriesEnd(db: Db, scope: string, after: string, limit: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_trail')
    .select('position')
    .where('scope', '=', scope)
    .where('position', '>', after)
    .orderBy('position')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.position
}

type Entries = { scope: string; after: string; through: string | undefined }

/**
 * Keeps what happened and when, with the account's id, which no longer identifies a person, and the hash of the rest,
 * which cannot be guessed without the salt.
 */
export async function blankEntries(trx: Trx, { scope, after, through }: Entries): Promise<void> {
  const isThrough = through === undefined ? sql`true` : sql`position <= ${through}`
  await sql`
    update audit_trail set network = null, before = null, after = null, reason = null, details = '{}', salt = null
    where scope = ${scope} and position > ${after} and ${isThrough} and (salt is not null or personal_hash is null)`.execute(
    trx,
  )
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

/** Tables whose rows about a deleted account are deleted, and the column with its id. */
const PERSONAL_TABLES = {
  notification: 'account_id',
  known_key: 'account_id',
  webhook_endpoint: 'account_id',
  usage_alert: 'account_id',
  custom_report: 'account_id',
  usage_shadow: 'account_id',
  stream_event: 'scope',
} as const
export type PersonalTable = keyof typeof PERSONAL_TABLES
export const personalTables = Object.keys(PERSONAL_TABLES) as readonly PersonalTable[]

/** Returns the number of deleted rows: fewer than the limit means that none is left. */
export async function deletePersonalRows(
  db: Db,
  name: PersonalTable,
  accountId: string,
  limit: number,
): Promise<number> {
  const table = sql.table(name)
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${sql.ref(PERSONAL_TABLES[name])} = ${accountId} limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}
