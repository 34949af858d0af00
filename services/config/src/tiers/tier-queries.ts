import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { TierDocumentTable, Tables } from '../tables.ts'

/** One writer at a time: versions rise without a gap. Readers do not wait. */
export async function lockTierDocuments(trx: Transaction<Tables>): Promise<void> {
  await sql`lock table tier_document in share row exclusive mode`.execute(trx)
}

export function findNewestTierDocument(db: Kysely<Tables>) {
  return db.selectFrom('tier_document').selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst()
}

export async function insertTierDocument(trx: Transaction<Tables>, row: Insertable<TierDocumentTable>): Promise<void> {
  await trx.insertInto('tier_document').values(row).execute()
}
