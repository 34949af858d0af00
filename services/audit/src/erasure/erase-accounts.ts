import { deleteDeadLettersOf } from '@tapeline/events/dead-letters/dead-letter-queries'
import type { Deps } from '../deps.ts'
import {
  blankNetworksOfRows,
  blankNetworkSums,
  deletePersonalRows,
  listPendingErasures,
  markArchiveErased,
  markErased,
  type PendingErasure,
} from './erasure-queries.ts'
import { deleteShadowOf } from '../shadow/shadow-queries.ts'
import type { ArchiveDeps } from '../request-log/archive/archived-log.ts'
import { eraseArchivedNetworks } from '../request-log/archive/erase-archived.ts'
import { eraseTrail } from './erase-trail.ts'

const PAGE_ACCOUNTS = 100
const BATCH_ROWS = 5_000
type ErasureDeps = Pick<Deps, 'db' | 'now'> & ArchiveDeps

/** Events of other services about the deletion can arrive this much later. */
const COMPLETE_AFTER_MS = 86_400_000

/**
 * Job. Erases networks, names and changed values of deleted accounts; counts and times stay under an id that
 * identifies no person. Idempotent, and repeated for a day. An account that fails does not keep others from being erased.
 * @throws AggregateError with the failures, after all accounts
 */
export async function eraseAccounts(deps: ErasureDeps, pageAccounts = PAGE_ACCOUNTS): Promise<number> {
  let total = 0
  let last: PendingErasure | undefined
  const failures: unknown[] = []
  for (;;) {
    const accounts = await listPendingErasures(deps.db, last, pageAccounts)
    for (const account of accounts) await eraseAccount(deps, account).catch((error: unknown) => failures.push(error))
    total += accounts.length
    last = accounts.at(-1)
    if (accounts.length < pageAccounts) break
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts were not erased completely`)
  return total
}

async function eraseAccount(deps: ErasureDeps, account: PendingErasure): Promise<void> {
  const { db, now } = deps
  const { account_id: accountId, deleted_at } = account
  await db.transaction().execute(async (trx) => {
    await eraseTrail(trx, accountId)
    await deletePersonalRows(trx, accountId)
    await deleteShadowOf(trx, accountId)
    await deleteDeadLettersOf(trx, accountId)
  })
  for (const table of ['request_log', 'usage_event', 'usage_stream'] as const) {
    while ((await blankNetworksOfRows(db, accountId, table, BATCH_ROWS)) === BATCH_ROWS);
  }
  await blankNetworkSums(db, accountId, 'usage_network')
  await blankNetworkSums(db, accountId, 'usage_network_day')
  const isComplete = now().getTime() - deleted_at.getTime() >= COMPLETE_AFTER_MS
  // Reads whole files: once at first, and once more when no more rows can be archived with networks.
  if (account.archive_erased_at === null || isComplete) {
    await eraseArchivedNetworks(deps, accountId)
    await markArchiveErased(db, accountId, now())
  }
  if (isComplete) await markErased(db, accountId, now())
}
