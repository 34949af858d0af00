import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { AccountExportTable, Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
export type ExportRow = Omit<Selectable<AccountExportTable>, 'sealed_content'>

const WITHOUT_CONTENT = ['id', 'user_id', 'requested_at', 'ready_at', 'failed_at', 'expires_at', 'token_hash'] as const

export function insertExport(trx: Trx, row: { id: string; userId: string; at: Date }): Promise<ExportRow> {
  return trx
    .insertInto('account_export')
    .values({ id: row.id, user_id: row.userId, requested_at: row.at })
    .returning(WITHOUT_CONTENT)
    .executeTakeFirstOrThrow()
}

export function findNewestExport(db: Db, userId: string): Promise<ExportRow | undefined> {
  return db
    .selectFrom('account_export')
    .select(WITHOUT_CONTENT)
    .where('user_id', '=', userId)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** No owner: the queue builds all waiting exports. */
export function findExport(db: Db, id: string): Promise<ExportRow | undefined> {
  return db.selectFrom('account_export').select(WITHOUT_CONTENT).where('id', '=', id).executeTakeFirst()
}

/** No owner: the queue builds all waiting exports. Oldest first. */
export async function listWaitingExports(db: Db, limit: number, after?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('account_export')
    .select('id')
    .where('ready_at', 'is', null)
    .where('failed_at', 'is', null)
    .$if(after !== undefined, (waiting) =>
      waiting.where(
        sql<boolean>`(requested_at, id) > (select requested_at, id from account_export where id = ${after})`,
      ),
    )
    .orderBy('requested_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** False when it was already finished, or the account is deleted. */
export async function markExportReady(
  trx: Trx,
  id: string,
  { at, expiresAt, content }: { at: Date; expiresAt: Date; content: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('account_export')
    .set({ ready_at: at, expires_at: expiresAt, sealed_content: content })
    .where('id', '=', id)
    .where('ready_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function markExportFailed(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('account_export')
    .set({ failed_at: at })
    .where('id', '=', id)
    .where('ready_at', 'is', null)
    .execute()
}

export async function setExportToken(db: Db, id: string, hash: Buffer): Promise<void> {
  await db.updateTable('account_export').set({ token_hash: hash }).where('id', '=', id).execute()
}

/** The mailed links of a user's exports stop working; the session still opens the newest export. */
export async function clearExportTokens(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('account_export')
    .set({ token_hash: null })
    .where('user_id', '=', userId)
    .where('token_hash', 'is not', null)
    .execute()
}

export type ReadyExport = { id: string; user_id: string; sealed_content: Buffer | null }
/** Selects an export by user, or by the hash of the mailed link. */
export type ExportFilter = { userId: string } | { tokenHash: Buffer }

/** The newest export of a user, or the one of a link; undefined when there is none or it has expired. */
export function findReadyExport(trx: Trx, filter: ExportFilter, at: Date): Promise<ReadyExport | undefined> {
  return trx
    .selectFrom('account_export')
    .select(['id', 'user_id', 'sealed_content'])
    .where((row) =>
      'userId' in filter ? row('user_id', '=', filter.userId) : row('token_hash', '=', filter.tokenHash),
    )
    .where('expires_at', '>', at)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** No owner: the job deletes all expired exports. */
export async function deleteExpiredExports(
  db: Db,
  { expired, failed }: { expired: Date; failed: Date },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('account_export')
    .where((row) => row.or([row('expires_at', '<=', expired), row('failed_at', '<=', failed)]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
