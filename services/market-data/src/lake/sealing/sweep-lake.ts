import type { Deps } from '../../deps.ts'
import { limitWaits } from '../../store/store-queries.ts'
import { inTransaction } from '../in-transaction.ts'
import { LAKE_PREFIX } from './object-key.ts'
import { deleteOldFiles, isObjectNamed, listObjectKeys, lockObjectKey } from './sweep-queries.ts'

/** Longer than any seal takes: the manifest may be about to reference a younger object. */
const UNNAMED_AGE_MS = 86_400_000
const MS_PER_DAY = 86_400_000

export type Swept = { dropped: number; deleted: number }

/**
 * Deletes manifest rows of files that were superseded `keepDays` ago, and objects that no manifest row references. A
 * database that is restored from a backup finds its files as long as the backup is younger than `keepDays`.
 */
export async function sweepLake(deps: Deps, keepDays: number, unnamedAgeMs = UNNAMED_AGE_MS): Promise<Swept> {
  const { pool, lake } = deps
  // Listed before the manifest is read, so that an object sealed in between is not among them.
  const objects = await lake.store.list(LAKE_PREFIX)
  const { dropped, named } = await inTransaction(pool, async (client) => {
    await limitWaits(client)
    return { dropped: await deleteOldFiles(client, keepDays * MS_PER_DAY), named: await listObjectKeys(client) }
  })
  const oldest = Date.now() - unnamedAgeMs
  let deleted = 0
  for (const { key, modified } of objects) {
    if (named.has(key) || modified.getTime() > oldest) continue
    if (await deleteUnnamed(deps, key)) deleted += 1
  }
  return { dropped, deleted }
}

/** False if a file whose rows result in the same key was sealed in the meantime. */
function deleteUnnamed({ pool, lake }: Deps, key: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await limitWaits(client)
    await lockObjectKey(client, key)
    if (await isObjectNamed(client, key)) return false
    await lake.store.delete(key)
    return true
  })
}
