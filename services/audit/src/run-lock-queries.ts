import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Work of which one process at a time does a part. */
type RunLock = 'usage archive run' | 'account erasure run'

/**
 * Runs `work` unless another process runs work with this lock; then undefined. The lock is the session's, on a connection of its own,
 * because the work is many transactions.
 */
export async function whileAlone<T>(db: Kysely<Tables>, lock: RunLock, work: () => Promise<T>): Promise<T | undefined> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ is_free: boolean }>`
      select pg_try_advisory_lock(hashtext(${lock})) as is_free`.execute(session)
    if (rows[0]?.is_free !== true) return undefined
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${lock}))`.execute(session)
    }
  })
}
