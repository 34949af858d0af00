import type { Deps } from '../deps.ts'
import { deleteEmailLinksOver } from '../email/email-link-queries.ts'
import { deleteResetsOver } from '../passwords/reset-queries.ts'
import { deleteMailsOver } from './mail-queries.ts'

/** Long enough for support to look up whether a mail was sent. */
const KEPT_MS = 30 * 86_400_000

/** Job. Deletes mails after a month, and expired links. Idempotent. */
export async function deleteOldMails({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  await deleteResetsOver(db, now())
  await deleteEmailLinksOver(db, now())
  return deleteMailsOver(db, new Date(now().getTime() - KEPT_MS))
}
