import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import type { KeyAnswer, KeyShadowLimits } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import { isDeepStrictEqual } from 'node:util'
import type { Deps, KeyDeps } from '../deps.ts'
import { aboutKey, factOf } from '../keys/key-event.ts'
import { changeKey } from '../keys/key-queries.ts'
import { publishVersion, versionChanges, versionOf } from '../keys/key-version.ts'
import { lockChangeableKey } from '../keys/lock-changeable-key.ts'
import { presentKey } from '../keys/present-key.ts'
import type { ApiKeyRow } from '../tables.ts'
import { deleteShadowCounters } from './delete-shadow-counters.ts'

const FIELDS = ['rate_limits', 'shadow_limits'] as const
export type ShadowDeps = KeyDeps & Pick<Deps, 'deleteVersion'>
type Limits = Pick<ApiKeyRow, (typeof FIELDS)[number]>

/**
 * Changes the limits in force and the proposed ones together; without changes there is no event and no new version.
 * @throws AppError when the key does not exist or is revoked
 */
export async function changeShadow(
  deps: ShadowDeps,
  actor: UserActor,
  keyId: string,
  limitsAfter: (old: ApiKeyRow) => Partial<Limits>,
): Promise<KeyAnswer> {
  const now = deps.now()
  const { key, version } = await deps.db.transaction().execute(async (trx) => {
    const old = await lockChangeableKey(trx, actor, { keyId, now })
    const limits = limitsAfter(old)
    const key: ApiKeyRow = { ...old, ...limits, version: old.version + 1 }
    const changed = FIELDS.filter((field) => !isDeepStrictEqual(old[field], key[field]))
    if (changed.length === 0) return { key: old, version: undefined }
    await changeKey(trx, old, { ...limits, version: key.version })
    const version = versionOf(key, key.version)
    const data = { ...factOf(key), before: shown(old, changed), after: shown(key, changed) }
    const event = newEvent(apiKeyUpdated, { ...aboutKey(deps, actor, key), data })
    await recordEvent(trx, event, ...versionChanges(version))
    return { key, version }
  })
  const effective = version === undefined ? {} : await publishVersion(deps, version)
  // Once the version is published, no gateway evaluates the old proposal.
  if (version !== undefined && key.shadow_limits === null)
    await deleteShadowCounters(deps, { userId: key.user_id, keyId })
  return { key: presentKey(key, now), ...effective }
}

function shown(key: ApiKeyRow, changed: readonly (keyof Limits)[]): Partial<Limits> {
  return Object.fromEntries(changed.map((field) => [field, key[field]]))
}

/** A key's proposed limits. @throws AppError api_key.no_shadow_limits */
export function proposalOf({ shadow_limits: shadow }: ApiKeyRow): KeyShadowLimits {
  if (shadow !== null) return shadow
  throw new AppError('api_key.no_shadow_limits', 'This API key has no shadow limits.')
}
