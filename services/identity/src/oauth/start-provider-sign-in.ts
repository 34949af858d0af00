import type { Actor } from '@tapeline/contracts/actor'
import type { ProviderSignIn } from '@tapeline/contracts/identity/oauth'
import type { Deps } from '../deps.ts'
import { hashState, newSecret, encryptFor } from './binding.ts'
import { insertFlow } from './oauth-queries.ts'
import { CHECKS_PURPOSE, FLOW_LIFE_MS } from './provider-flow.ts'

/** Returns the provider's URL and the browser's binding. For a signed-in caller the flow links their account. */
export async function startProviderSignIn(deps: Deps, actor: Actor): Promise<ProviderSignIn> {
  const [state, nonce, verifier, binding] = [newSecret(), newSecret(), newSecret(), newSecret()]
  const authUrl = await deps.provider.authorizationUrl({ state, nonce, verifier })
  const isConnecting = actor.kind === 'user' && actor.sessionId !== null
  await insertFlow(deps.db, {
    state_hash: hashState(state),
    sealed_checks: encryptFor(deps, { binding, purpose: CHECKS_PURPOSE }, JSON.stringify({ nonce, verifier })),
    user_id: isConnecting ? actor.userId : null,
    session_id: isConnecting ? actor.sessionId : null,
    expires_at: new Date(deps.now().getTime() + FLOW_LIFE_MS),
  })
  return { authUrl, binding }
}
