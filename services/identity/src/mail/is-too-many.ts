import type { Deps } from '../deps.ts'
import { countChangeMailsTo, countMailsTo, type MailRow } from './mail-queries.ts'

/** Mails that an unauthenticated caller can trigger for any address. */
const UNASKED = ['password-reset', 'sign-up-tried']
const HOUR_MS = 3_600_000
const PER_HOUR = 5

/**
 * Whether an address has reached its hourly limit, over all senders and accounts, which protects mailboxes from being
 * flooded. Checked when the mail is sent, so that the response is the same for every address.
 */
export async function isTooMany(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { user_id, kind, recipient }: Pick<MailRow, 'user_id' | 'kind' | 'recipient'>,
): Promise<boolean> {
  const since = new Date(now().getTime() - HOUR_MS)
  if (kind === 'email-change') return (await countChangeMailsTo(db, recipient, since)) >= PER_HOUR
  if (user_id !== null || !UNASKED.includes(kind)) return false
  return (await countMailsTo(db, recipient, { kinds: UNASKED, since })) >= PER_HOUR
}
