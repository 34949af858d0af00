import type { Deps } from '../../deps.ts'
import { archivePrefix } from './archive-file.ts'
import { deleteArchivedBefore, findArchiveId, listArchiveKeys, whileArchiving } from './archive-queries.ts'

const DAY_MS = 86_400_000
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

/**
 * Job. Deletes archived days past their retention with their objects, and objects that an interrupted run left behind:
 * those older than a day whose day is stored in other files. Keeps objects of days without a row in `archived_day`.
 */
export async function sweepArchive(deps: Pick<Deps, 'db' | 'now' | 'store' | 'retention'>): Promise<void> {
  const { db, now, store, retention } = deps
  await whileArchiving(db, async () => {
    const nowMs = now().getTime()
    const oldest = new Date(nowMs - retention.rowDays * DAY_MS).toISOString().slice(0, DAY_CHARACTERS)
    await deleteArchivedBefore(db, oldest)
    if (store === undefined) return
    const prefix = archivePrefix(await findArchiveId(db))
    const objects = await store.list(prefix)
    const keys = await listArchiveKeys(db)
    for (const { key, modified } of objects) {
      const day = key.slice(prefix.length, prefix.length + DAY_CHARACTERS)
      const isLeft = keys.get(day)?.has(key) === false && modified.getTime() < nowMs - DAY_MS
      if (day < oldest || isLeft) await store.delete(key)
    }
  })
}
