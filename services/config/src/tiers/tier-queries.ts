import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { TierDocumentTable, Tables } from '../tables.ts'

export type TierDocumentRow = Selectable<TierDocumentTable>

/** Serializes writers, so that versions have no gaps. Readers do not wait. */
export async function lockTierDocuments(trx: Transaction<Tables>): Promise<void> {
  await sql`lock table tier_document in share row exclusive mode`.execute(trx)
}

export function findNewestTierDocument(db: Kysely<Tables>): Promise<TierDocumentRow | undefined> {
  return db.selectFrom('tier_document').selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst()
}

export function findTierDocument(db: Kysely<Tables>, version: number): Promise<TierDocumentRow | undefined> {
  return db.selectFrom('tier_document').selectAll().where('version', '=', version).executeTakeFirst()
}

/** The version that was current at a time. */
export function findTierDocumentAt(db: Kysely<Tables>, at: Date): Promise<TierDocumentRow | undefined> {
  return db
    .selectFrom('tier_document')
    .selectAll()
    .where('created_at', '<=', at)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Newest first. */
export function listTierDocuments(
  db: Kysely<Tables>,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<TierDocumentRow[]> {
  let query = db.selectFrom('tier_document').selectAll()
  if (before !== undefined) query = query.where('version', '<', before)
  return query.orderBy('version', 'desc').limit(limit).execute()
}

export async function insertTierDocument(trx: Transaction<Tables>, row: Insertable<TierDocumentTable>): Promise<void> {
  await trx.insertInto('tier_document').values(row).execute()
}
