import type { UserActor } from '@tapeline/contracts/actor'
import type { ChangeEmail } from '@tapeline/contracts/identity/email'
import type { Deps } from '../deps.ts'
import { checkMailPace } from '../mail/check-mail-pace.ts'
import { recordMail } from '../mail/record-mail.ts'
import { checkCurrentPassword, wrongPassword } from '../passwords/check-current-password.ts'
import { lockUser } from '../users/user-queries.ts'

/**
 * Requests a change: a link is mailed to the new address, a notice to the old one. Whether the new address is taken
 * is checked when the mail is written, so the response is the same for every address.
 * @throws AppError password.wrong
 */
export async function changeEmail(deps: Deps, actor: UserActor, input: ChangeEmail): Promise<void> {
  const { id, password_hash } = await checkCurrentPassword(deps, actor, input.currentPassword)
  await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, id)
    if (user?.password_hash !== password_hash) throw wrongPassword()
    await checkMailPace(trx, deps, id, 'email-change')
    await recordMail(trx, deps, { userId: id, recipient: input.newEmail.trim(), mail: { kind: 'email-change' } })
    await recordMail(trx, deps, { userId: id, recipient: user.email, mail: { kind: 'email-change-asked' } })
  })
}
