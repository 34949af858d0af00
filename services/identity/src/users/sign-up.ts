import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { userSignedUp } from '@tapeline/contracts/identity/events'
import type { SignUp } from '@tapeline/contracts/identity/http'
import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { recordEvent } from '@tapeline/events/outbox'
import { USER_VERSION_FIELD } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { type SignedInUser, presentSignIn } from '../sessions/present-sign-in.ts'
import { startSession } from '../sessions/start-session.ts'
import { canonicalEmail } from './canonical-email.ts'
import { checkNewPassword } from './check-new-password.ts'
import { EMAIL_CONSTRAINT, insertUser, type NewUserRow } from './user-queries.ts'

const FIRST_VERSION = 1
const REMINDER_HOUR_DEFAULT = 9

/** A new account with its first session. A known e-mail costs the same work and is refused without a reason. */
export async function signUp(deps: Deps, actor: Actor, input: SignUp): Promise<SignedInUser> {
  checkNewPassword(input.password, input.email)
  const row = newUserRow(deps, input, await deps.passwords.hash(input.password))
  const started = await insertAccount(deps, actor, row)
  await Promise.all([
    deps.raiseVersion({ accountId: row.id, field: USER_VERSION_FIELD, version: FIRST_VERSION }),
    deps.markSeeded(row.id),
  ])
  return presentSignIn(deps, started)
}

async function insertAccount(deps: Deps, actor: Actor, row: NewUserRow) {
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const user = await insertUser(trx, row)
      const session = await startSession(trx, deps, { userId: user.id, isRemembered: false })
      const event = newEvent(userSignedUp, {
        id: deps.newId(),
        time: user.created_at,
        subject: user.id,
        account: user.id,
        actor,
        data: { user_id: user.id, role: user.role, tier: 'free', version: FIRST_VERSION },
      })
      await recordEvent(trx, event, { accountId: user.id, field: USER_VERSION_FIELD, version: FIRST_VERSION })
      return { user, session }
    })
  } catch (error) {
    if (isUniqueViolation(error, EMAIL_CONSTRAINT))
      throw new AppError('sign_up.failed', 'Signup failed', { cause: error })
    throw error
  }
}

function newUserRow(deps: Deps, input: SignUp, passwordHash: string): NewUserRow {
  const now = deps.now()
  return {
    id: deps.newId(),
    email: input.email,
    email_canonical: canonicalEmail(input.email),
    email_verified: false,
    first_name: input.first_name.trim(),
    last_name: input.last_name.trim(),
    mobile: input.mobile.trim(),
    password_hash: passwordHash,
    role: 'user',
    status: 'active',
    profile_picture: null,
    reminder_enabled: input.reminder_enabled ?? true,
    reminder_time: input.reminder_time ?? REMINDER_HOUR_DEFAULT,
    reminder_method: input.reminder_method ?? 'email',
    last_login_at: now,
    created_at: now,
    version: FIRST_VERSION,
    not_before: now,
  }
}
