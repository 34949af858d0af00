import type { Transaction } from 'kysely'
import { deleteWaitingMails } from '../mail/mail-queries.ts'
import type { Tables } from '../tables.ts'
import { deleteEmailLinksOf } from './email-link-queries.ts'

/**
 * Cancels a requested change after a new password, also while its mail waits: the request was made with the old one.
 */
export async function cancelEmailChange(trx: Transaction<Tables>, userId: string): Promise<void> {
  await deleteEmailLinksOf(trx, userId, 'change')
  await deleteWaitingMails(trx, userId, 'email-change')
}
