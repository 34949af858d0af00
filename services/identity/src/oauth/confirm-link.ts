import type { Actor } from '@tapeline/contracts/actor'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { LogIn } from '@tapeline/contracts/identity/http'
import type { ConfirmLink } from '@tapeline/contracts/identity/oauth'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import { markEmailVerified } from '../email/mark-email-verified.ts'
import { lockPassword } from '../passwords/password-queries.ts'
import { endSession } from '../sessions/end-session.ts'
import { logIn } from '../sessions/log-in.ts'
import type { SignedInUser } from '../sessions/present-sign-in.ts'
import { findOpenSession } from '../sessions/session-queries.ts'
import type { Tables } from '../tables.ts'
import { findUser, lockUser } from '../users/user-queries.ts'
import { alreadyConnected, isSecondIdentity, isTaken, linkedElsewhere } from './already-connected.ts'
import { LINK_PURPOSE, WaitingLink } from './require-password.ts'
import { hashState, decryptFor } from './binding.ts'
import type { ProviderIdentity } from './provider-identity.ts'
import type { ProviderEntry } from './finish-provider-sign-in.ts'
import { linkIdentity } from './link-identity.ts'
import { deleteLinkRequest, useLinkRequestTry } from './oauth-queries.ts'
import { invalidState } from './provider-flow.ts'

type Caller = { userId: string; sessionId: string }

/**
 * Signs the account's owner in with the password and links the provider's identity. At most five attempts.
 * @throws AppError when the request is unknown, expired or used up, or the password is wrong
 */
export async function confirmLink(
  deps: Deps,
  actor: Actor,
  { state, binding, password }: ConfirmLink,
): Promise<ProviderEntry> {
  const hash = hashState(state)
  const request = await useLinkRequestTry(deps.db, hash, deps.now())
  const text = request && decryptFor(deps, { binding, purpose: LINK_PURPOSE }, request.sealed_claim)
  if (text === undefined) throw invalidState()
  const { claim, caller } = Value.Parse(WaitingLink, JSON.parse(text))
  const account = caller === null ? { email: claim.email ?? '' } : await accountOf(deps, caller)
  const signedIn = await signIn(deps, actor, { ...account, password })
  const email_verified = await link(deps, actor, { signedIn, claim, caller, hash })
  return { signedIn: { ...signedIn, user: { ...signedIn.user, email_verified } }, isNewUser: false }
}

/** The account of the request, not the one with the provider's address; its session must be active. */
async function accountOf({ db, now }: Deps, { userId, sessionId }: Caller) {
  const session = await findOpenSession(db, userId, { sessionId, at: now() })
  const user = await findUser(db, userId)
  if (session === undefined || user === undefined) throw invalidState()
  return { email: user.email, remember_me: session.is_remembered }
}

/** 403, not 401: no session has ended. */
async function signIn(deps: Deps, actor: Actor, input: LogIn): Promise<SignedInUser> {
  try {
    return await logIn(deps, actor, input)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'login.failed')) throw error
    const message = 'Incorrect username or password'
    throw new AppError('password.wrong', message, { errors: [{ field: '/password', message }], cause: error })
  }
}

type Linking = { signedIn: SignedInUser; claim: ProviderIdentity; caller: Caller | null; hash: Buffer }

async function link(deps: Deps, actor: Actor, { signedIn, claim, caller, hash }: Linking): Promise<boolean> {
  const { user, sessionId } = signedIn
  const isForeign = caller !== null && caller.userId !== user.id
  try {
    const { change, isVerified } = await deps.db.transaction().execute(async (trx) => {
      await lockPassword(trx, user.id)
      // A concurrent password reset has ended the new session: do not link.
      const own = await findOpenSession(trx, user.id, { sessionId, at: deps.now() })
      if (own === undefined || isForeign) throw invalidState()
      // Of two concurrent confirmations the second waited for the password and finds the request used up.
      if (!(await deleteLinkRequest(trx, hash))) throw invalidState()
      const before = caller && (await endSession(trx, deps, actor, { ...caller, reason: 'revoked' }))
      if (before === undefined) throw invalidState()
      await linkIdentity(trx, deps, actor, { user, claim, by: 'password' })
      return { change: before, isVerified: await verifyByProvider(trx, deps, actor, { userId: user.id, claim }) }
    })
    if (change !== null) await deps.raiseVersion(change)
    return isVerified
  } catch (error) {
    // Ends the session that is not returned.
    const unused = { userId: user.id, sessionId, reason: 'revoked' } as const
    const change = await deps.db.transaction().execute((trx) => endSession(trx, deps, actor, unused))
    if (change !== undefined) await deps.raiseVersion(change)
    if (isTaken(error)) throw linkedElsewhere(error)
    throw isSecondIdentity(error) ? alreadyConnected(error) : error
  }
}

/** Whether the link verifies the account's address: the provider must have verified the same address. */
async function verifyByProvider(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: Actor,
  { userId, claim }: { userId: string; claim: ProviderIdentity },
): Promise<boolean> {
  const user = await lockUser(trx, userId)
  if (user === undefined || user.email_verified) return user !== undefined
  const email = claim.isEmailVerified ? claim.email : null
  if (email === null || canonicalEmail(email) !== user.email_canonical) return false
  await markEmailVerified(trx, deps, actor, user)
  return true
}
