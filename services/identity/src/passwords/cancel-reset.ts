import type { Transaction } from 'kysely'
import { cancelDeviceLink } from '../devices/cancel-device-link.ts'
import { deleteWaitingMailsTo } from '../mail/mail-queries.ts'
import type { Tables } from '../tables.ts'
import type { UserRow } from '../users/user-queries.ts'
import { deleteResetOf } from './reset-queries.ts'

/**
 * Invalidates earlier links after a new password or a deletion request, and cancels waiting mails: one may have been
 * sent without confirmation, and resending it would restore its link. The caller has locked the user.
 */
export async function cancelReset(
  trx: Transaction<Tables>,
  user: Pick<UserRow, 'id' | 'email_canonical'>,
): Promise<void> {
  await deleteResetOf(trx, user.id)
  await deleteWaitingMailsTo(trx, user.email_canonical, 'password-reset')
  await cancelDeviceLink(trx, user)
}
