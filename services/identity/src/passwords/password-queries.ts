import { sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/**
 * Who opens a session with a password and who replaces it go one after the other: a session is either opened before, and
 * ended by the replacement, or not at all. Taken first in a transaction.
 */
export async function lockPassword(trx: Transaction<Tables>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`password of ${userId}`}, 0))`.execute(trx)
}
