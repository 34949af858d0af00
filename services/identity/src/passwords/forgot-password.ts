import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { ForgotPassword } from '@tapeline/contracts/identity/passwords'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'

/**
 * Notes that a link is wanted and looks nobody up: whether the address belongs to somebody is found out when the mail is
 * made, so the answer and its time are the same for all.
 */
export async function forgotPassword(deps: Deps, { email }: ForgotPassword): Promise<void> {
  const recipient = canonicalEmail(email)
  await recordMail(deps.db, deps, { userId: null, recipient, mail: { kind: 'password-reset' } })
}
