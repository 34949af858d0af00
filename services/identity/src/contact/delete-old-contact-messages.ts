import type { Deps } from '../deps.ts'
import { deleteContactMessagesOver } from './contact-queries.ts'

/** Long enough for any answer; people who wrote once are not kept for ever. */
const KEPT_MS = 365 * 86_400_000

/** Safe to run twice: what is gone is gone. */
export function deleteOldContactMessages({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  return deleteContactMessagesOver(db, new Date(now().getTime() - KEPT_MS))
}
