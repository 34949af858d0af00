import type { Deps } from '../deps.ts'
import { countChangeMailsTo, countMailsTo, type MailRow } from './mail-queries.ts'

/** What anybody can have sent to any address, by knowing it. */
const UNASKED = ['password-reset', 'sign-up-tried']
const HOUR_MS = 3_600_000
const PER_HOUR = 5

/**
 * Whether an address has had as many as it may within the hour: nobody floods a mailbox, however many addresses they ask
 * from, and however many accounts. Found out when the mail is to leave, so that the call answers everybody alike.
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
