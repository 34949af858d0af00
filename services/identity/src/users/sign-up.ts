import type { Actor } from '@tapeline/contracts/actor'
import type { SignUp } from '@tapeline/contracts/identity/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { presentSignIn, type SignedInUser } from '../sessions/present-sign-in.ts'
import { startSession } from '../sessions/start-session.ts'
import { recordMail } from '../mail/record-mail.ts'
import { checkNewPassword } from '../passwords/check-new-password.ts'
import { insertAccount, userVersion } from './insert-account.ts'
import { requireOpenSignUp } from './require-open-sign-up.ts'
import { newUserRow } from './new-user-row.ts'
import { EmailTaken, type NewUserRow } from './user-queries.ts'

/** Creates an account with its first session. A known e-mail takes the same time and is rejected without a reason. */
export async function signUp(deps: Deps, actor: Actor, input: SignUp): Promise<SignedInUser> {
  requireOpenSignUp(deps)
  checkNewPassword(input.password, { email: input.email, field: '/password' })
  const row = signUpRow(deps, input, await deps.passwords.hash(input.password))
  const saved = await saveAccount(deps, actor, row)
  await Promise.all([deps.raiseVersion(userVersion(saved.user)), deps.markSeeded(saved.user.id)])
  return presentSignIn(deps, saved)
}

async function saveAccount(deps: Deps, actor: Actor, row: NewUserRow) {
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const user = await insertAccount(trx, deps, actor, { row, tier: 'free' })
      const session = await startSession(trx, deps, actor, { userId: user.id, isRemembered: false })
      await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail: { kind: 'verify-email' } })
      return { user, session }
    })
  } catch (error) {
    if (!(error instanceof EmailTaken)) throw error
    // The owner of the address is notified by mail; the response reveals nothing to the caller.
    await recordMail(deps.db, deps, { userId: null, recipient: row.email_canonical, mail: { kind: 'sign-up-tried' } })
    throw new AppError('sign_up.failed', 'Signup failed', { cause: error })
  }
}

function signUpRow(deps: Deps, input: SignUp, passwordHash: string): NewUserRow {
  const now = deps.now()
  const row = newUserRow(input, { id: deps.newId(), now, passwordHash })
  return {
    ...row,
    last_login_at: now,
    reminder_enabled: input.reminder_enabled ?? row.reminder_enabled,
    reminder_time: input.reminder_time ?? row.reminder_time,
    reminder_method: input.reminder_method ?? row.reminder_method,
  }
}
