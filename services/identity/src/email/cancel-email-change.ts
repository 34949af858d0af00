import type { Transaction } from 'kysely'
import { deleteWaitingMails } from '../mail/mail-queries.ts'
import type { Tables } from '../tables.ts'
import { deleteEmailLinksOf } from './email-link-queries.ts'

/** With a new password, what somebody asked for who knew the old one comes to nothing, also while its mail waits. */
export async function cancelEmailChange(trx: Transaction<Tables>, userId: string): Promise<void> {
  await deleteEmailLinksOf(trx, userId, 'change')
  await deleteWaitingMails(trx, userId, 'email-change')
}
