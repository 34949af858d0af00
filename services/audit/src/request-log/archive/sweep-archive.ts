import type { Deps } from '../../deps.ts'
import { ARCHIVE_PREFIX } from './archive-file.ts'
import { deleteArchivedBefore, listArchiveKeys } from './archive-queries.ts'

const DAY_MS = 86_400_000

/**
 * Job. Deletes archived days past their retention, and objects that no day references: an interrupted run left them. Objects of the
 * last day stay, because a run may be about to reference them.
 */
export async function sweepArchive({ db, now, store, retention }: Pick<Deps, 'db' | 'now' | 'store' | 'retention'>) {
  const nowMs = now().getTime()
  await deleteArchivedBefore(db, new Date(nowMs - retention.rowDays * DAY_MS).toISOString().slice(0, 10))
  if (store === undefined) return
  const objects = await store.list(ARCHIVE_PREFIX)
  const referenced = await listArchiveKeys(db)
  for (const { key, modified } of objects) {
    if (!referenced.has(key) && modified.getTime() < nowMs - DAY_MS) await store.delete(key)
  }
}
