import type { Actor } from '@tapeline/contracts/actor'
import type { ConfirmLink } from '@tapeline/contracts/identity/oauth'
import { AppError } from '@tapeline/service/app-error'
import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import { endSession } from '../sessions/end-session.ts'
import { logIn } from '../sessions/log-in.ts'
import type { SignedInUser } from '../sessions/present-sign-in.ts'
import { alreadyConnected, isSecondIdentity } from './already-connected.ts'
import { CLAIM_PURPOSE } from './ask-for-password.ts'
import { hashState, unsealFor } from './binding.ts'
import { Claim } from './claim.ts'
import type { ProviderEntry } from './finish-provider-sign-in.ts'
import { linkIdentity } from './link-identity.ts'
import { deleteLinkRequest, useLinkRequestTry } from './oauth-queries.ts'
import { invalidState } from './provider-flow.ts'

/** The owner of the account signs in with its password, and the provider's person is connected with it. Five tries. */
export async function confirmLink(
  deps: Deps,
  actor: Actor,
  { state, binding, password }: ConfirmLink,
): Promise<ProviderEntry> {
  const hash = hashState(state)
  const request = await useLinkRequestTry(deps.db, hash, deps.now())
  const text = request && unsealFor(deps, { binding, purpose: CLAIM_PURPOSE }, request.sealed_claim)
  if (text === undefined) throw invalidState()
  const claim = Value.Parse(Claim, JSON.parse(text))
  const signedIn = await signIn(deps, actor, { email: claim.email ?? '', password })
  await link(deps, actor, { signedIn, claim })
  await deleteLinkRequest(deps.db, hash)
  return { signedIn, isNewUser: false }
}

/** 403, not 401: no session has ended. */
async function signIn(deps: Deps, actor: Actor, input: { email: string; password: string }): Promise<SignedInUser> {
  try {
    return await logIn(deps, actor, input)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'login.failed')) throw error
    const message = 'Incorrect username or password'
    throw new AppError('password.wrong', message, { errors: [{ field: '/password', message }], cause: error })
  }
}

async function link(
  deps: Deps,
  actor: Actor,
  { signedIn, claim }: { signedIn: SignedInUser; claim: Claim },
): Promise<void> {
  const { user, sessionId } = signedIn
  try {
    await deps.db.transaction().execute((trx) => linkIdentity(trx, deps, actor, { user, claim, by: 'password' }))
  } catch (error) {
    // The session that nobody will have is not left open.
    const unused = { userId: user.id, sessionId, reason: 'revoked' } as const
    const change = await deps.db.transaction().execute((trx) => endSession(trx, deps, actor, unused))
    if (change !== undefined) await deps.raiseVersion(change)
    throw isSecondIdentity(error) ? alreadyConnected(error) : error
  }
}
