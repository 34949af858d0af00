import { deleteDeadLettersOf } from '@tapeline/events/dead-letters/dead-letter-queries'
import type { Deps } from '../deps.ts'
import { eraseNetworks } from './erase-networks.ts'
import { eraseTrail } from './erase-trail.ts'
import { deletePersonalRows, type PendingErasure, personalTables } from './erasure-queries.ts'
import { NETWORK_TABLES, type NetworkTable } from './network-erasure-queries.ts'

/** `isFinal`: no more networks are expected in the tables, and all of them are erased. */
export type ErasedAccount = { isFinal: boolean; failures: unknown[] }

/**
 * Erases networks, names and changed values of a deleted account from the tables; counts and times stay under an id that
 * identifies no person. Idempotent, and may end at any point. A table that fails does not keep others from being erased.
 * @throws AggregateError when every table fails: the database is unavailable
 */
export async function eraseAccount(
  deps: Pick<Deps, 'db' | 'now'>,
  account: PendingErasure,
  batchRows: number,
): Promise<ErasedAccount> {
  const { db } = deps
  const accountId = account.account_id
  const failures: unknown[] = []
  let steps = 0
  const attempt = async (step: () => Promise<unknown>) => {
    steps += 1
    await step().catch((error: unknown) => failures.push(error))
  }
  await attempt(() => db.transaction().execute((trx) => eraseTrail(trx, accountId, batchRows)))
  for (const name of personalTables) {
    await attempt(async () => {
      while ((await deletePersonalRows(db, name, accountId, batchRows)) === batchRows);
    })
  }
  await attempt(() => db.transaction().execute((trx) => deleteDeadLettersOf(trx, accountId)))
  const finalTables = new Set<NetworkTable>()
  for (const table of NETWORK_TABLES) {
    await attempt(async () => {
      if (await eraseNetworks(deps, { account, table, batchRows })) finalTables.add(table)
    })
  }
  if (failures.length === steps) throw new AggregateError(failures, `no table can be erased: ${String(failures[0])}`)
  return { isFinal: finalTables.size === NETWORK_TABLES.length, failures }
}
