import { sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/**
 * Serializes sign-ins and password changes: a session is either opened before a change, and ended by it, or not at all.
 * Called before sessions and users are read or locked.
 */
export async function lockPassword(trx: Transaction<Tables>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`password of ${userId}`}, 0))`.execute(trx)
}
