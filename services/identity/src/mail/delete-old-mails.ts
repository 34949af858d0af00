import type { Deps } from '../deps.ts'
import { deleteExpiredEmailLinks } from '../email/email-link-queries.ts'
import { deleteExpiredResets } from '../passwords/reset-queries.ts'
import { deleteMailsBefore } from './mail-queries.ts'

/** Long enough for support to look up whether a mail was sent. */
const KEPT_MS = 30 * 86_400_000

/** Job. Deletes mails after a month, and expired links. Idempotent. */
export async function deleteOldMails({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  await deleteExpiredResets(db, now())
  await deleteExpiredEmailLinks(db, now())
  return deleteMailsBefore(db, new Date(now().getTime() - KEPT_MS))
}
