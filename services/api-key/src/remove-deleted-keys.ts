import type { Deps } from './deps.ts'
import { REMOVED_KEY_KEPT_MS } from './read-key-record.ts'
import { deleteKeys, deleteSecretsEndedBefore, deleteSecretsOf, lockKeysDeletedBefore } from './removal-queries.ts'
import { deleteNetworksSeenBefore } from './use-queries.ts'

const BATCH_KEYS = 500

const NETWORKS_KEPT_MS = 90 * 24 * 60 * 60 * 1_000

/**
 * Job. A month after its deletion a key is gone for good, and so is a replaced secret a month after its end; a network
 * from which a key was not used for a quarter of a year is forgotten.
 */
export async function removeDeletedKeys(deps: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const before = new Date(deps.now().getTime() - REMOVED_KEY_KEPT_MS)
  await deleteSecretsEndedBefore(deps.db, before)
  await deleteNetworksSeenBefore(deps.db, new Date(deps.now().getTime() - NETWORKS_KEPT_MS))
  let total = 0
  for (;;) {
    const removed = await deps.db.transaction().execute(async (trx) => {
      const keyIds = await lockKeysDeletedBefore(trx, before, BATCH_KEYS)
      if (keyIds.length === 0) return 0
      await deleteSecretsOf(trx, keyIds)
      await deleteKeys(trx, keyIds)
      return keyIds.length
    })
    total += removed
    if (removed < BATCH_KEYS) return total
  }
}
