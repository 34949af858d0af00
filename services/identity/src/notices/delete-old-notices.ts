import type { Deps } from '../deps.ts'
import { deletePushesOver } from '../push/push-queries.ts'
import { deleteNoticesSettledBefore } from './notice-queries.ts'

/** Longer than Kafka keeps an event that could be heard again; long enough to answer "was it sent?". */
const KEPT_MS = 30 * 86_400_000

/** Notices and pushes of a month ago. Safe to run twice. */
export async function deleteOldNotices({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - KEPT_MS)
  await deletePushesOver(db, before)
  return deleteNoticesSettledBefore(db, before)
}
