import type { UserActor } from '@tapeline/contracts/actor'
import type { ChangedPassword, ChangePassword } from '@tapeline/contracts/identity/passwords'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import type { Deps } from '../deps.ts'
import { cancelEmailChange } from '../email/cancel-email-change.ts'
import { clearExportTokens } from '../exports/export-queries.ts'
import { recordMail } from '../mail/record-mail.ts'
import { newDeviceToken } from '../sessions/device-token.ts'
import { endOtherSessions } from '../sessions/end-other-sessions.ts'
import { replacePasswordHash, updateProfileFields } from '../users/user-queries.ts'
import { announcePasswordChange } from './announce-password-change.ts'
import { cancelReset } from './cancel-reset.ts'
import { checkCurrentPassword, wrongPassword } from './check-current-password.ts'
import { checkNewPassword } from './check-new-password.ts'
import { lockPassword } from './password-queries.ts'

/**
 * Changes the password, which requires the current one. Ends every other session, removes other known devices and notifies
 * the owner by mail.
 * @throws AppError password.wrong
 */
export async function changePassword(deps: Deps, actor: UserActor, input: ChangePassword): Promise<ChangedPassword> {
  const user = await checkCurrentPassword(deps, actor, input.currentPassword)
  checkNewPassword(input.newPassword, { email: user.email, field: '/newPassword' })
  const to = await deps.passwords.hash(input.newPassword)
  const { ended, change, deviceToken } = await deps.db.transaction().execute(async (trx) => {
    await lockPassword(trx, user.id)
    const others = await endOtherSessions(trx, deps, actor, { reason: 'password_changed' })
    if (!(await replacePasswordHash(trx, user.id, { from: user.password_hash, to }))) throw wrongPassword()
    const devices = { devices_not_before: deps.now() }
    await updateProfileFields(trx, user.id, devices)
    await cancelEmailChange(trx, user.id)
    await clearExportTokens(trx, user.id)
    await cancelReset(trx, user)
    await announcePasswordChange(trx, deps, actor, { userId: user.id, by: 'change', sessionsEnded: others.ended })
    await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail: { kind: 'password-changed' } })
    return { ...others, deviceToken: newDeviceToken(deps, { id: user.id, ...devices }) }
  })
  const isPublished = change === undefined || (await deps.raiseVersion(change))
  return {
    sessions_ended: ended,
    deviceToken,
    ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }),
  }
}
