import type { Deps } from '../deps.ts'
import { RESUMED_WITHIN_MS } from './stream-hub.ts'
import { deleteStreamEventsBefore } from './stream-queries.ts'

/** Drops events that no client can resume from, with a margin so that no resumed stream has gaps. */
export async function pruneStream({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteStreamEventsBefore(db, new Date(now().getTime() - 2 * RESUMED_WITHIN_MS))
}
