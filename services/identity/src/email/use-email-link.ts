import type { Selectable, Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import type { EmailLinkTable, Tables } from '../tables.ts'
import { lockUser, type UserRow } from '../users/user-queries.ts'
import { deleteEmailLink, findEmailLinkOwner } from './email-link-queries.ts'
import { invalidEmailLink } from './invalid-email-link.ts'

type UsedLink = { user: UserRow; email: string }
type LinkFilter = { token: string; purpose: Selectable<EmailLinkTable>['purpose'] }

/**
 * Uses a link once and returns its account and address. Locks the user before the link, the order used everywhere.
 * @throws AppError email_link.invalid
 */
export async function useEmailLink(
  trx: Transaction<Tables>,
  { now }: Pick<Deps, 'now'>,
  { token, purpose }: LinkFilter,
): Promise<UsedLink> {
  const filter = { hash: hashLinkToken(token), purpose, at: now() }
  const owner = await findEmailLinkOwner(trx, filter)
  const user = owner && (await lockUser(trx, owner.user_id))
  const link = user && (await deleteEmailLink(trx, user.id, filter))
  if (user === undefined || link === undefined) throw invalidEmailLink()
  return { user, email: link.email }
}
