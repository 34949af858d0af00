import type { Actor } from '@tapeline/contracts/actor'
import type { PasswordIsReset, ResetPassword } from '@tapeline/contracts/identity/passwords'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { cancelEmailChange } from '../email/cancel-email-change.ts'
import { markEmailVerified } from '../email/mark-email-verified.ts'
import { clearExportTokens } from '../exports/export-queries.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { recordMail } from '../mail/record-mail.ts'
import { dropUnprovenLink } from '../oauth/drop-unproven-link.ts'
import { newDeviceToken } from '../sessions/device-token.ts'
import { endAllSessions } from '../sessions/end-sessions.ts'
import { userVersion } from '../users/insert-account.ts'
import { updateProfileFields } from '../users/user-queries.ts'
import { announcePasswordChange } from './announce-password-change.ts'
import { cancelReset } from './cancel-reset.ts'
import { checkNewPassword } from './check-new-password.ts'
import { lockPassword } from './password-queries.ts'
import { deleteReset, findResetOwner } from './reset-queries.ts'

/**
 * Sets a new password with a link, once, and ends every session; a mailed link also verifies the address. The browser
 * becomes the only trusted device, so its next sign-in is not delayed by wrong passwords from other devices.
 * @throws AppError reset_token.invalid
 */
export async function resetPassword(
  deps: Deps,
  actor: Actor,
  { token, newPassword }: ResetPassword,
): Promise<PasswordIsReset> {
  const hash = hashLinkToken(token)
  const owner = await findResetOwner(deps.db, hash, deps.now())
  if (owner === undefined) throw invalidLink()
  checkComposition(newPassword)
  checkNewPassword(newPassword, { email: owner.email, field: '/newPassword' })
  const passwordHash = await deps.passwords.hash(newPassword)
  const { user, deviceToken } = await deps.db.transaction().execute(async (trx) => {
    const userId = owner.id
    await lockPassword(trx, userId)
    const all = await endAllSessions(trx, deps, actor, { accountId: userId, reason: 'password_changed' })
    // Locked after the user, the order used everywhere.
    const link = await deleteReset(trx, hash, deps.now())
    if (link === undefined) throw invalidLink()
    await cancelReset(trx, all.user)
    const devices = { devices_not_before: deps.now() }
    await updateProfileFields(trx, userId, { password_hash: passwordHash, ...devices })
    await dropUnprovenLink(trx, deps, actor, all.user)
    if (link.proves_address) await markEmailVerified(trx, deps, actor, all.user)
    await cancelEmailChange(trx, userId)
    await clearExportTokens(trx, userId)
    await announcePasswordChange(trx, deps, actor, { userId, by: 'reset', sessionsEnded: all.ended })
    await recordMail(trx, deps, { userId, recipient: all.user.email, mail: { kind: 'password-changed' } })
    return { user: all.user, deviceToken: newDeviceToken(deps, { id: userId, ...devices }) }
  })
  const isPublished = await deps.raiseVersion(userVersion(user))
  return { deviceToken, ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }) }
}

function invalidLink(): AppError {
  const message = 'This password reset link is invalid or has expired. Please request a new one.'
  return new AppError('reset_token.invalid', message, { errors: [{ field: '/token', message }] })
}

const REQUIRED_CHARACTERS = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u]

/** Rule for password resets: an upper case letter, a lower case letter and a digit. */
function checkComposition(password: string): void {
  if (REQUIRED_CHARACTERS.every((pattern) => pattern.test(password))) return
  const message = 'Password does not meet the security requirements.'
  throw new AppError('password.too_weak', message, { errors: [{ field: '/newPassword', message }] })
}
