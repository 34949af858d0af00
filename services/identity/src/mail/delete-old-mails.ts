import type { Deps } from '../deps.ts'
import { deleteEmailLinksOver } from '../email/email-link-queries.ts'
import { deleteResetsOver } from '../passwords/reset-queries.ts'
import { deleteMailsOver } from './mail-queries.ts'

/** Long enough to answer "was it sent?". */
const KEPT_MS = 30 * 86_400_000

/** Mails of a month ago, and links that have expired. Safe to run twice. */
export async function deleteOldMails({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  await deleteResetsOver(db, now())
  await deleteEmailLinksOver(db, now())
  return deleteMailsOver(db, new Date(now().getTime() - KEPT_MS))
}
