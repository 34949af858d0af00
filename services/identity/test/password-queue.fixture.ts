import { waitUntil } from '@tapeline/testing/wait-until'
import { type Kysely, sql } from 'kysely'
import { lockPassword } from '../src/passwords/password-queries.ts'
import type { Tables } from '../src/tables.ts'

/**
 * Starts operations while the lock on a user's password is taken, each once the one before waits for it, so that they
 * run in this order, and returns their results.
 * @throws Error when one of them does not wait for the lock
 */
export async function runInOrder(
  db: Kysely<Tables>,
  userId: string,
  operations: (() => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  const results: Promise<PromiseSettledResult<unknown>[]>[] = []
  await db.transaction().execute(async (trx) => {
    await lockPassword(trx, userId)
    for (const operation of operations) {
      results.push(Promise.allSettled([operation()]))
      await waitUntil(`${results.length} operations wait for the password`, async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event = 'advisory'`.execute(db)
        return rows.length === results.length
      })
    }
  })
  return (await Promise.all(results)).flat()
}
