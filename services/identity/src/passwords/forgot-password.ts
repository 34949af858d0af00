import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { ForgotPassword } from '@tapeline/contracts/identity/passwords'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'

/**
 * Records a reset request without looking up the address: whether an account has it is checked when the mail is
 * written, so response and timing are the same for every address.
 */
export async function forgotPassword(deps: Deps, { email }: ForgotPassword): Promise<void> {
  const recipient = canonicalEmail(email)
  await recordMail(deps.db, deps, { userId: null, recipient, mail: { kind: 'password-reset' } })
}
