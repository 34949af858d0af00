import type { Deps } from '../deps.ts'
import { deleteContactMessagesBefore } from './contact-queries.ts'

/** Long enough to answer a message. */
const KEPT_MS = 365 * 86_400_000

/** Job. Deletes messages after a year. Idempotent. */
export function deleteOldContactMessages({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteContactMessagesBefore(db, new Date(now().getTime() - KEPT_MS))
}
