import type { Deps } from '../deps.ts'
import {
  blankNetworksOfRows,
  blankNetworkSums,
  deleteWordsOf,
  listPendingErasures,
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
 * identifies no person. Idempotent, and repeated for a day.
 */
export async function eraseAccounts(deps: ErasureDeps, pageAccounts = PAGE_ACCOUNTS): Promise<number> {
  let total = 0
  let last: PendingErasure | undefined
  for (;;) {
    const accounts = await listPendingErasures(deps.db, last, pageAccounts)
    for (const account of accounts) await eraseAccount(deps, account)
    total += accounts.length
    last = accounts.at(-1)
    if (accounts.length < pageAccounts) return total
  }
}

async function eraseAccount(
  { db, now, store }: ErasureDeps,
  { account_id: accountId, deleted_at }: PendingErasure,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await eraseTrail(trx, accountId)
    await deleteWordsOf(trx, accountId)
    await deleteShadowOf(trx, accountId)
  })
  for (const table of ['request_log', 'usage_event', 'usage_stream'] as const) {
    while ((await blankNetworksOfRows(db, accountId, table, BATCH_ROWS)) === BATCH_ROWS);
  }
  await eraseArchivedNetworks({ db, store }, accountId)
  await blankNetworkSums(db, accountId, 'usage_network')
  await blankNetworkSums(db, accountId, 'usage_network_day')
  if (now().getTime() - deleted_at.getTime() >= COMPLETE_AFTER_MS) await markErased(db, accountId, now())
}
