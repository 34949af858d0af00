import type { Deps } from '../deps.ts'
import { deleteExpiredEmailLinks } from '../email/email-link-queries.ts'
import { deleteExpiredResets } from '../passwords/reset-queries.ts'
import { deleteMailsBefore } from './mail-queries.ts'

/** Long enough for support to look up whether a mail was sent. */
const KEPT_MS = 30 * 86_400_000
/** Short transactions: mails can have a file. */
const BATCH_ROWS = 500

/** Job. Deletes mails after a month, and expired links. Idempotent. */
export async function deleteOldMails({ db, now }: Pick<Deps, 'db' | 'now'>, batchRows = BATCH_ROWS): Promise<number> {
  await deleteExpiredResets(db, now())
  await deleteExpiredEmailLinks(db, now())
  const before = new Date(now().getTime() - KEPT_MS)
  let total = 0
  for (;;) {
    const deleted = await deleteMailsBefore(db, before, batchRows)
    total += deleted
    if (deleted < batchRows) return total
  }
}
