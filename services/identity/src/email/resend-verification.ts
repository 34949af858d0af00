import type { UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { checkMailPace } from '../mail/check-mail-pace.ts'
import { recordMail } from '../mail/record-mail.ts'
import { lockUser } from '../users/user-queries.ts'

/**
 * Sends another mail with a new link, which invalidates the older one.
 * @throws AppError account.not_found, email.already_verified
 */
export async function resendVerification(deps: Deps, actor: UserActor): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (user === undefined) throw new AppError('account.not_found', 'There is no such account.')
    if (user.email_verified) throw new AppError('email.already_verified', 'This email address is already verified.')
    await checkMailPace(trx, deps, user.id, 'verify-email')
    await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail: { kind: 'verify-email' } })
  })
}
