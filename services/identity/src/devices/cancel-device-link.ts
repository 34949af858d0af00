import type { Transaction } from 'kysely'
import { deleteEmailLinksOf } from '../email/email-link-queries.ts'
import { deleteWaitingMailsTo } from '../mail/mail-queries.ts'
import type { Tables } from '../tables.ts'
import type { UserRow } from '../users/user-queries.ts'

/** A link sent before the password changed must not create a known device after it. Requires the lock on the user. */
export async function cancelDeviceLink(
  trx: Transaction<Tables>,
  user: Pick<UserRow, 'id' | 'email_canonical'>,
): Promise<void> {
  await deleteEmailLinksOf(trx, user.id, 'device')
  await deleteWaitingMailsTo(trx, user.email_canonical, 'device-link')
}
