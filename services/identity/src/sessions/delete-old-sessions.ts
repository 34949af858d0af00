import type { Deps } from '../deps.ts'
import { deleteSessionsOver } from './session-queries.ts'

/** Longer than the gateway asks for ended sessions; a spent token is refused with or without its row. */
const KEPT_MS = 86_400_000
const BATCH_ROWS = 1_000

/** Sessions that ended or expired a day ago, with their refresh tokens. Safe to run twice: what is gone is gone. */
export async function deleteOldSessions({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - KEPT_MS)
  let total = 0
  for (;;) {
    const deleted = await deleteSessionsOver(db, before, BATCH_ROWS)
    total += deleted
    if (deleted < BATCH_ROWS) return total
  }
}
