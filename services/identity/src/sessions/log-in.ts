import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { userSignedIn } from '@tapeline/contracts/identity/events'
import type { LogIn } from '@tapeline/contracts/identity/http'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import { findUserByEmail, markSignedIn, replacePasswordHash, type UserRow } from '../users/user-queries.ts'
import { clientOf } from './client-of.ts'
import { knownDevice } from './device-token.ts'
import { presentSignIn, type SignedInUser } from './present-sign-in.ts'
import type { Tried } from './sign-in-tries.ts'
import { startSession, type StartedSession } from './start-session.ts'

/** Unknown e-mail, wrong password, inactive account: one answer, the same work. */
export async function logIn(deps: Deps, actor: Actor, input: LogIn): Promise<SignedInUser> {
  const email = canonicalEmail(input.email)
  const found = await findUserByEmail(deps.db, email)
  const deviceId = knownDevice(deps, input.deviceToken, found)
  const tried = { email, network: clientOf(actor).network, deviceId }
  await deps.tries.take(tried)
  const user = await checkPassword(deps, { user: found, password: input.password, tried })
  await renewHash(deps, user, input.password)
  const at = deps.now()
  const session = await saveSignIn(deps, actor, { user, at, isRemembered: input.remember_me ?? false })
  return presentSignIn(deps, { user: { ...user, last_login_at: at }, session, deviceId })
}

type Attempt = { user: UserRow | undefined; password: string; tried: Tried }

async function checkPassword(deps: Deps, { user, password, tried }: Attempt): Promise<UserRow> {
  const from = tried.deviceId === undefined ? 'anywhere' : 'a known device'
  let isRight: boolean
  try {
    isRight = await deps.passwords.verify(user?.password_hash, password, from)
  } catch (error) {
    await deps.tries.giveBack(tried, 'not looked at')
    throw error
  }
  if (user === undefined || !isRight || user.status !== 'active') {
    throw new AppError('login.failed', 'Incorrect username or password')
  }
  await deps.tries.giveBack(tried, 'right')
  return user
}

type SignIn = { user: UserRow; at: Date; isRemembered: boolean }

async function saveSignIn(deps: Deps, actor: Actor, { user, at, isRemembered }: SignIn): Promise<StartedSession> {
  return deps.db.transaction().execute(async (trx) => {
    const session = await startSession(trx, deps, actor, { userId: user.id, isRemembered })
    await markSignedIn(trx, user.id, at)
    const event = newEvent(userSignedIn, {
      id: deps.newId(),
      time: at,
      subject: user.id,
      account: user.id,
      actor,
      data: { user_id: user.id, session_id: session.sessionId },
    })
    await recordEvent(trx, event)
    return session
  })
}

/** The only moment at which the password is known: settings that changed take hold now. */
async function renewHash(deps: Deps, user: UserRow, password: string): Promise<void> {
  if (!deps.passwords.isOutdated(user.password_hash)) return
  try {
    const to = await deps.passwords.hash(password)
    await replacePasswordHash(deps.db, user.id, { from: user.password_hash, to })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'login.busy')) throw error
  }
}
