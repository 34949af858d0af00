import type { Actor } from '@tapeline/contracts/actor'
import type { ConfirmedEmail, ConfirmLink } from '@tapeline/contracts/identity/email'
import type { Deps } from '../deps.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { lockUser } from '../users/user-queries.ts'
import { deleteEmailLink } from './email-link-queries.ts'
import { invalidEmailLink } from './invalid-email-link.ts'
import { markEmailVerified } from './mark-email-verified.ts'

/** Whoever opens the link has read a mail to the address that the account still has. */
export async function verifyEmail(deps: Deps, actor: Actor, { token }: ConfirmLink): Promise<ConfirmedEmail> {
  const hash = hashLinkToken(token)
  const email = await deps.db.transaction().execute(async (trx) => {
    const link = await deleteEmailLink(trx, { hash, purpose: 'verify', at: deps.now() })
    const user = link && (await lockUser(trx, link.user_id))
    if (user === undefined || user.email !== link?.email) throw invalidEmailLink()
    await markEmailVerified(trx, deps, actor, user)
    return user.email
  })
  return { email }
}
