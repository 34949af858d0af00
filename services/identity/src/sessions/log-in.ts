import type { Actor } from '@tapeline/contracts/actor'
import type { LogIn } from '@tapeline/contracts/identity/http'
import { AppError } from '@tapeline/service/app-error'
import { canSignIn } from '../account-deletion/can-sign-in.ts'
import { returnToAccount } from '../account-deletion/return-to-account.ts'
import type { Deps } from '../deps.ts'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import { lockPassword } from '../passwords/password-queries.ts'
import { findUser, findUserByEmail, replacePasswordHash, type UserRow } from '../users/user-queries.ts'
import { userVersion } from '../users/insert-account.ts'
import { clientOf } from './client-of.ts'
import { knownDevice } from './device-token.ts'
import { presentSignIn, type SignedInUser } from './present-sign-in.ts'
import { recordSignIn, type SignIn } from './record-sign-in.ts'
import type { Tried } from '../sign-in-limits/sign-in-tries.ts'

/**
 * Signs in with a password. Unknown e-mail, wrong password and inactive account have the same error and take the same
 * time. Signing in before the deletion of the account restores it.
 */
export async function logIn(deps: Deps, actor: Actor, input: LogIn): Promise<SignedInUser> {
  const email = canonicalEmail(input.email)
  const found = await findUserByEmail(deps.db, email)
  const deviceId = knownDevice(deps, input.deviceToken, found)
  const tried = { email, network: clientOf(actor).network, deviceId }
  await deps.tries.take(tried)
  const user = await checkPassword(deps, { user: found, password: input.password, tried })
  const passwordHash = await renewHash(deps, user, input.password)
  const signedIn = await saveSignIn(deps, actor, {
    user,
    passwordHash,
    isRemembered: input.remember_me ?? false,
    deviceId,
  })
  if (signedIn.user.version !== user.version) await deps.raiseVersion(userVersion(signedIn.user))
  return presentSignIn(deps, { ...signedIn, deviceId })
}

type Attempt = { user: UserRow | undefined; password: string; tried: Tried }

async function checkPassword(deps: Deps, { user, password, tried }: Attempt): Promise<UserRow> {
  const from = tried.deviceId === undefined ? 'anywhere' : 'a known device'
  let isRight: boolean
  try {
    isRight = await deps.passwords.verify(user?.password_hash, password, from)
  } catch (error) {
    await deps.tries.refund(tried, 'not looked at')
    throw error
  }
  if (user === undefined || !isRight || !canSignIn(user, deps.now())) throw loginFailed()
  await deps.tries.refund(tried, 'right')
  return user
}

function loginFailed(): AppError {
  return new AppError('login.failed', 'Incorrect username or password')
}

type Proven = { user: UserRow; passwordHash: string | null; isRemembered: boolean; deviceId: string | undefined }

/** Rejects a sign-in whose password was changed or reset in the meantime. */
async function saveSignIn(
  deps: Deps,
  actor: Actor,
  { user: { id }, passwordHash, isRemembered, deviceId }: Proven,
): Promise<SignIn> {
  return deps.db.transaction().execute(async (trx) => {
    await lockPassword(trx, id)
    const found = await findUser(trx, id)
    if (found === undefined || found.password_hash !== passwordHash) throw loginFailed()
    const user = found.status === 'active' ? found : await returnToAccount(trx, deps, actor, id)
    if (user === undefined) throw loginFailed()
    return recordSignIn(trx, deps, actor, { user, isRemembered, deviceId })
  })
}

/** Renews an outdated hash, which is possible only while the password is known. Returns the current hash. */
async function renewHash(deps: Deps, user: UserRow, password: string): Promise<string | null> {
  const from = user.password_hash
  if (!deps.passwords.isOutdated(from)) return from
  try {
    const to = await deps.passwords.hash(password)
    if (await replacePasswordHash(deps.db, user.id, { from, to })) return to
    // Replaced by a concurrent sign-in, or by another password.
    const currentHash = (await findUser(deps.db, user.id))?.password_hash ?? null
    return (await deps.passwords.verify(currentHash, password)) ? currentHash : from
  } catch (error) {
    if (error instanceof AppError && error.code === 'login.busy') return from
    throw error
  }
}
