import type { Actor } from '@tapeline/contracts/actor'
import type { ConfirmedEmail, ConfirmLink } from '@tapeline/contracts/identity/email'
import type { Deps } from '../deps.ts'
import { dropUnprovenLink } from '../oauth/drop-unproven-link.ts'
import { invalidEmailLink } from './invalid-email-link.ts'
import { markEmailVerified } from './mark-email-verified.ts'
import { useEmailLink } from './use-email-link.ts'

/** Verifies the account's current address, to which the link was mailed. @throws AppError email_link.invalid */
export async function verifyEmail(deps: Deps, actor: Actor, { token }: ConfirmLink): Promise<ConfirmedEmail> {
  return deps.db.transaction().execute(async (trx) => {
    const { user, email } = await useEmailLink(trx, deps, { token, purpose: 'verify' })
    if (user.email !== email) throw invalidEmailLink()
    await dropUnprovenLink(trx, deps, actor, user)
    await markEmailVerified(trx, deps, actor, user)
    return { email }
  })
}
