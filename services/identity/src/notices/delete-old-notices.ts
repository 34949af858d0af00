import type { Deps } from '../deps.ts'
import { deletePushesBefore } from '../push/push-queries.ts'
import { deleteNoticesSettledBefore } from './notice-queries.ts'

/**
 * Longer than Kafka's retention, so that no event is processed again; long enough for support to look up whether a
 * notice was sent.
 */
const KEPT_MS = 30 * 86_400_000
/** Short transactions. */
const BATCH_ROWS = 1_000

/** Job. Deletes notices and pushes after a month. Idempotent. */
export async function deleteOldNotices({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - KEPT_MS)
  while ((await deletePushesBefore(db, before, BATCH_ROWS)) === BATCH_ROWS);
  let total = 0
  for (;;) {
    const deleted = await deleteNoticesSettledBefore(db, before, BATCH_ROWS)
    total += deleted
    if (deleted < BATCH_ROWS) return total
  }
}
