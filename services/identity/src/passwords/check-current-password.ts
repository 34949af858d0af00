import type { UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { findUser, type UserRow } from '../users/user-queries.ts'

type WithPassword = UserRow & { password_hash: string }

/**
 * Verifies the caller's current password. Wrong passwords delay further attempts in the same session increasingly.
 * @throws AppError with status 403 for a wrong password; the session does not end
 */
export async function checkCurrentPassword(deps: Deps, actor: UserActor, password: string): Promise<WithPassword> {
  const user = await findUser(deps.db, actor.userId)
  const passwordHash = user?.password_hash ?? undefined
  const email = user?.email_canonical ?? actor.userId
  const tried = { email, network: actor.network, deviceId: `session ${actor.sessionId ?? ''}` }
  await deps.tries.take(tried)
  const isRight = await deps.passwords.verify(passwordHash, password).catch(async (error: unknown) => {
    await deps.tries.refund(tried, 'not looked at')
    throw error
  })
  if (user === undefined || passwordHash === undefined || !isRight) throw wrongPassword()
  await deps.tries.refund(tried, 'right')
  return { ...user, password_hash: passwordHash }
}

export function wrongPassword(): AppError {
  const message = 'This is not your current password.'
  return new AppError('password.wrong', message, { errors: [{ field: '/currentPassword', message }] })
}
