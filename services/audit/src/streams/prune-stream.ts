import type { Deps } from '../deps.ts'
import { RESUMED_WITHIN_MS } from './stream-hub.ts'
import { deleteStreamEventsBefore } from './stream-queries.ts'

/** Drops what no client can come back to; with time to spare, so that none comes back to half of it. */
export async function pruneStream({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteStreamEventsBefore(db, new Date(now().getTime() - 2 * RESUMED_WITHIN_MS))
}
