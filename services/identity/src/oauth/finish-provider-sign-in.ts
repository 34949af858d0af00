import type { Actor } from '@tapeline/contracts/actor'
import type { FinishProviderSignIn } from '@tapeline/contracts/identity/oauth'
import type { Deps } from '../deps.ts'
import { presentSignIn, type SignedInUser } from '../sessions/present-sign-in.ts'
import { EmailTaken } from '../users/user-queries.ts'
import { requirePassword } from './require-password.ts'
import { alreadyConnected, isSecondIdentity, isTaken } from './already-connected.ts'
import { type Arrival, resolveProviderAccount } from './resolve-provider-account.ts'
import type { Entry } from './entry.ts'
import { takeFlow } from './provider-flow.ts'

export type ProviderEntry = { signedIn: SignedInUser; isNewUser: boolean }

/** Finishes a provider sign-in: signs in, signs up, links, or requires the account's password. */
export async function finishProviderSignIn(
  deps: Deps,
  actor: Actor,
  { code, state, binding, iss }: FinishProviderSignIn,
): Promise<ProviderEntry> {
  const flow = await takeFlow(deps, { state, binding })
  const claim = await deps.provider.redeem(flow.checks, { code, iss })
  const entry = await signInOnce(deps, actor, { flow, claim })
  if (entry === undefined) return requirePassword(deps, { state, binding, flow, claim })
  const { user, session, isNewUser, version } = entry
  if (version !== undefined) await deps.raiseVersion(version)
  if (isNewUser) await deps.markSeeded(user.id)
  return { signedIn: await presentSignIn(deps, { user, session }), isNewUser }
}

/** Of two concurrent first sign-ins, the second finds the account created by the first. */
async function signInOnce(deps: Deps, actor: Actor, arrival: Arrival): Promise<Entry | undefined> {
  const attempt = () => deps.db.transaction().execute((trx) => resolveProviderAccount(trx, deps, actor, arrival))
  try {
    return await attempt().catch((error: unknown) => {
      if (error instanceof EmailTaken || isTaken(error)) return attempt()
      throw error
    })
  } catch (error) {
    throw isSecondIdentity(error) ? alreadyConnected(error) : error
  }
}
