import type { Actor, UserActor } from '@tapeline/contracts/actor'
import { apiKeyRevoked } from '@tapeline/contracts/api-key/events'
import type { KeyAnswer } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps, KeyDeps } from '../deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, lockKey } from './key-queries.ts'
import { publishVersion, versionChanges, versionOf } from './key-version.ts'
import { noSuchKey } from './no-such-key.ts'
import { presentKey } from './present-key.ts'
import type { ApiKeyRow, Tables } from '../tables.ts'

/**
 * Revokes a key permanently, including a replaced secret in its grace period; it stays in the list.
 * @throws AppError api_key.not_found, api_key.already_revoked
 */
export async function revokeKey(deps: KeyDeps, actor: UserActor, keyId: string): Promise<KeyAnswer> {
  const now = deps.now()
  const revoked = await deps.db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, actor, { keyId, now })
    if (key === undefined) throw noSuchKey()
    if (key.state === 'revoked') throw new AppError('api_key.already_revoked', 'This API key is already revoked.')
    return revokeLockedKey(deps, trx, actor, key)
  })
  const effective = await publishVersion(deps, versionOf(revoked, revoked.version))
  return { key: presentKey(revoked, now), ...effective }
}

/** Revokes a key that this transaction has locked. The caller publishes its version after the commit. */
export async function revokeLockedKey(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: Actor,
  key: ApiKeyRow,
): Promise<ApiKeyRow> {
  const now = deps.now()
  const revoked = { ...key, state: 'revoked' as const, revoked_at: now, version: key.version + 1 }
  await changeKey(trx, key, { state: 'revoked', revoked_at: now, version: revoked.version })
  const event = newEvent(apiKeyRevoked, { ...aboutKey(deps, actor, key), data: factOf(revoked) })
  await recordEvent(trx, event, ...versionChanges(versionOf(key, revoked.version)))
  return revoked
}
