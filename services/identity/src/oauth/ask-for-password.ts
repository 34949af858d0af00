import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { hashState, sealFor } from './binding.ts'
import type { Claim } from './claim.ts'
import { insertLinkRequest } from './oauth-queries.ts'
import { FLOW_LIFE_MS } from './provider-flow.ts'

export const CLAIM_PURPOSE = 'link that waits for a password'
const TRIES = 5

export type Unproven = { state: string; binding: string; claim: Claim }

/** Said in the same words whether or not an account has the address: who has not proven it is told nothing. */
export async function askForPassword(
  deps: Pick<Deps, 'db' | 'now' | 'secret'>,
  { state, binding, claim }: Unproven,
): Promise<never> {
  if (claim.email === null) throw new AppError('oauth.refused', 'Google did not say your e-mail address.')
  await insertLinkRequest(deps.db, {
    state_hash: hashState(state),
    sealed_claim: sealFor(deps, { binding, purpose: CLAIM_PURPOSE }, JSON.stringify(claim)),
    tries_left: TRIES,
    expires_at: new Date(deps.now().getTime() + FLOW_LIFE_MS),
  })
  throw new AppError(
    'oauth.password_needed',
    'To connect Google with an account that has this e-mail address, enter the password of the account.',
  )
}
