import { AppError } from '@tapeline/service/app-error'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { hashState, encryptFor } from './binding.ts'
import { ProviderIdentity } from './provider-identity.ts'
import { insertLinkRequest } from './oauth-queries.ts'
import { FLOW_LIFE_MS, type UsedFlow } from './provider-flow.ts'

export const LINK_PURPOSE = 'link and account that wait for a password'
const TRIES = 5

const Caller = Type.Object({ userId: Type.String(), sessionId: Type.String() })
/** `caller`: the signed-in user who connects their own account, regardless of the provider's address. */
export const WaitingLink = Type.Object({ claim: ProviderIdentity, caller: Type.Union([Caller, Type.Null()]) })
type WaitingLink = Type.Static<typeof WaitingLink>

export type Unproven = {
  state: string
  binding: string
  flow: Pick<UsedFlow, 'user_id' | 'session_id'>
  claim: ProviderIdentity
}

/**
 * The same response whether or not an account has the address, so that it reveals nothing before the password is
 * given.
 * @throws AppError oauth.refused, oauth.password_needed
 */
export async function requirePassword(
  deps: Pick<Deps, 'db' | 'now' | 'secret'>,
  { state, binding, flow, claim }: Unproven,
): Promise<never> {
  const { user_id: userId, session_id: sessionId } = flow
  const caller = userId === null || sessionId === null ? null : { userId, sessionId }
  if (caller === null && claim.email === null)
    throw new AppError('oauth.refused', 'Google did not provide an email address.')
  await insertLinkRequest(deps.db, {
    state_hash: hashState(state),
    sealed_claim: encryptFor(
      deps,
      { binding, purpose: LINK_PURPOSE },
      JSON.stringify({ claim, caller } satisfies WaitingLink),
    ),
    tries_left: TRIES,
    expires_at: new Date(deps.now().getTime() + FLOW_LIFE_MS),
  })
  const whose = caller === null ? 'an account that has this email address' : 'your account'
  throw new AppError('oauth.password_needed', `To connect Google with ${whose}, enter the password of the account.`)
}
