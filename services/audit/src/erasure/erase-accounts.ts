import type { Deps } from '../deps.ts'
import { blankNetworksOfRows, blankNetworkSums, deleteWordsOf, listUnsettled, markSettled } from './erasure-queries.ts'
import { eraseTrail } from './erase-trail.ts'

const ACCOUNTS_MAX = 100
const BATCH_ROWS = 5_000
/** What other services have to say of the account's end may be heard after its end. */
const SETTLED_AFTER_MS = 86_400_000

/**
 * Job. Of deleted accounts, counts and times stay, by an id that leads to nobody; networks, names and what was changed
 * from what into what are gone. Safe to run twice, and run again for a day.
 */
export async function eraseAccounts({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const accounts = await listUnsettled(db, ACCOUNTS_MAX)
  for (const { account_id: accountId, deleted_at } of accounts) {
    await db.transaction().execute(async (trx) => {
      await eraseTrail(trx, accountId)
      await deleteWordsOf(trx, accountId)
    })
    while ((await blankNetworksOfRows(db, accountId, BATCH_ROWS)) === BATCH_ROWS);
    await blankNetworkSums(db, accountId, 'usage_network')
    await blankNetworkSums(db, accountId, 'usage_network_day')
    if (now().getTime() - deleted_at.getTime() >= SETTLED_AFTER_MS) await markSettled(db, accountId, now())
  }
  return accounts.length
}
