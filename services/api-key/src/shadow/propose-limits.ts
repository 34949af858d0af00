import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyAnswer, ProposeKeyLimits } from '@tapeline/contracts/api-key/http'
import { isDeepStrictEqual } from 'node:util'
import { changeShadow, type ShadowDeps } from './change-shadow.ts'

/**
 * Sets the limits that gateways evaluate in addition to a key's own and do not enforce. Other limits are a new proposal; the same ones change
 * nothing.
 * @throws AppError when the key does not exist or is revoked
 */
export function proposeLimits(
  deps: ShadowDeps,
  actor: UserActor,
  keyId: string,
  { rate_limits }: ProposeKeyLimits,
): Promise<KeyAnswer> {
  return changeShadow(deps, actor, keyId, ({ shadow_limits: old }) => {
    if (isDeepStrictEqual(old?.rate_limits, rate_limits)) return { shadow_limits: old }
    return { shadow_limits: { id: deps.newId(), since: deps.now().toISOString(), rate_limits } }
  })
}
