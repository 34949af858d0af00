import { AppError } from '@tapeline/service/app-error'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import { hashState, decryptFor } from './binding.ts'
import { deleteFlow, findFlow, type FlowRow } from './oauth-queries.ts'
import type { Checks } from './provider.ts'

/** Maximum duration of a sign-in at the provider. */
export const FLOW_LIFE_MS = 600_000
export const CHECKS_PURPOSE = 'sign-in with a provider'

const StoredChecks = Type.Object({ nonce: Type.String(), verifier: Type.String() })

export type UsedFlow = FlowRow & { checks: Checks }

/**
 * Uses a state: once, within ten minutes, in the browser that started the flow.
 * @throws AppError with the same error in all other cases
 */
export async function takeFlow(
  deps: Pick<Deps, 'db' | 'now' | 'secret'>,
  { state, binding }: { state: string; binding: string },
): Promise<UsedFlow> {
  const hash = hashState(state)
  const flow = await findFlow(deps.db, hash, deps.now())
  const checks = flow && decryptFor(deps, { binding, purpose: CHECKS_PURPOSE }, flow.sealed_checks)
  if (flow === undefined || checks === undefined || !(await deleteFlow(deps.db, hash))) throw invalidState()
  return { ...flow, checks: { state, ...Value.Parse(StoredChecks, JSON.parse(checks)) } }
}

export function invalidState(): AppError {
  const message = 'This sign-in has expired or was begun in another browser. Please start again.'
  return new AppError('oauth.state_invalid', message, { errors: [{ field: '/state', message }] })
}
