import { keyVersionField } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'
import { REMOVED_KEY_KEPT_MS } from '../keys/read-key-record.ts'
import {
  deleteKeys,
  deleteSecretsEndedBefore,
  deleteSecretsOf,
  lockKeysDeletedBefore,
  type RemovedKid,
} from './removal-queries.ts'
import { deleteShadowCounters } from '../shadow/delete-shadow-counters.ts'
import { deleteNetworksSeenBefore } from '../usage/use-queries.ts'

const BATCH_KEYS = 500
const NETWORKS_KEPT_MS = 90 * 24 * 60 * 60 * 1_000

type Removing = Pick<Deps, 'db' | 'now' | 'deleteVersion'>

/**
 * Job. Removes keys 31 days after their deletion, replaced secrets 31 days after their end, and networks from which a
 * key was not used for 90 days.
 */
export async function removeDeletedKeys(deps: Removing): Promise<number> {
  const nowMs = deps.now().getTime()
  const before = new Date(nowMs - REMOVED_KEY_KEPT_MS)
  await deleteNetworksSeenBefore(deps.db, new Date(nowMs - NETWORKS_KEPT_MS))
  await dropVersions(deps, await deleteSecretsEndedBefore(deps.db, before))
  let total = 0
  for (;;) {
    const { keys, kids } = await removeBatch(deps, before)
    await dropVersions(deps, kids)
    for (const { key_id: keyId, user_id: userId } of kids) await deleteShadowCounters(deps, { userId, keyId })
    total += keys
    if (keys < BATCH_KEYS) return total
  }
}

type Batch = { keys: number; kids: Awaited<ReturnType<typeof deleteSecretsOf>> }

function removeBatch(deps: Removing, before: Date): Promise<Batch> {
  return deps.db.transaction().execute(async (trx) => {
    const keyIds = await lockKeysDeletedBefore(trx, before, BATCH_KEYS)
    if (keyIds.length === 0) return { keys: 0, kids: [] }
    const kids = await deleteSecretsOf(trx, keyIds)
    await deleteKeys(trx, keyIds)
    return { keys: keyIds.length, kids }
  })
}

async function dropVersions({ deleteVersion }: Removing, removed: readonly RemovedKid[]): Promise<void> {
  for (const { kid, user_id } of removed) await deleteVersion({ accountId: user_id, field: keyVersionField(kid) })
}
