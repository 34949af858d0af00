import type { Transaction } from 'kysely'
import { cancelDeviceLink } from '../devices/cancel-device-link.ts'
import { deleteWaitingMailsTo } from '../mail/mail-queries.ts'
import type { Tables } from '../tables.ts'
import type { UserRow } from '../users/user-queries.ts'
import { deleteResetOf } from './reset-queries.ts'

/**
 * With a new password, or an account to be deleted, no link of before sets another. A mail that waits may have left
 * already, its answer lost: sent again, it would bring its link back to life. The caller holds the lock on the user.
 */
export async function cancelReset(
  trx: Transaction<Tables>,
  user: Pick<UserRow, 'id' | 'email_canonical'>,
): Promise<void> {
  await deleteResetOf(trx, user.id)
  await deleteWaitingMailsTo(trx, user.email_canonical, 'password-reset')
  await cancelDeviceLink(trx, user)
}
