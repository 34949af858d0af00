import type { Actor, UserActor } from '@tapeline/contracts/actor'
import { apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import type { KeyAnswer } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps, KeyDeps } from '../deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, lockKey, markSecretEnded } from './key-queries.ts'
import { type KeyVersion, publishVersion, versionChanges, versionOf } from './key-version.ts'
import { noSuchKey } from './no-such-key.ts'
import { presentKey } from './present-key.ts'
import type { ApiKeyRow, Tables } from '../tables.ts'

/**
 * Ends a replaced secret before its grace period is over; the key and its current secret are unchanged.
 * @throws AppError `api_key.no_old_secret` when no replaced secret is within its grace period
 */
export async function endOldSecret(deps: KeyDeps, actor: UserActor, keyId: string): Promise<KeyAnswer> {
  const now = deps.now()
  const ended = await deps.db.transaction().execute(async (trx) => {
    const old = await lockKey(trx, actor, { keyId, now })
    if (old === undefined) throw noSuchKey()
    if (old.state === 'revoked') throw new AppError('api_key.already_revoked', 'This API key is already revoked.')
    return endSecretOf(deps, trx, actor, old)
  })
  const effective = await publishVersion(deps, ended.version)
  return { key: presentKey(ended.key, now), ...effective }
}

/**
 * Ends the replaced secret of a key that this transaction has locked. The caller publishes the version after the commit.
 * @throws AppError `api_key.no_old_secret` when no replaced secret is within its grace period
 */
export async function endSecretOf(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: Actor,
  old: ApiKeyRow,
): Promise<{ key: ApiKeyRow; version: KeyVersion }> {
  const now = deps.now()
  // Also while the key is expired: after an extension of the key its old secret would work again.
  const { grace } = presentKey({ ...old, expires_at: null }, now)
  if (grace === null || old.graced_kid === null) {
    throw new AppError('api_key.no_old_secret', 'This API key has no old secret that is still valid.')
  }
  await markSecretEnded(trx, old.graced_kid, now)
  const version = versionOf(old, old.version + 1)
  await changeKey(trx, old, { version: version.version })
  const { prefix, until } = grace
  const data = {
    ...factOf({ ...old, version: version.version }),
    before: { grace: { prefix, until } },
    after: { grace: null },
  }
  const event = newEvent(apiKeyUpdated, { ...aboutKey(deps, actor, old), data })
  await recordEvent(trx, event, ...versionChanges(version))
  return { key: withoutGrace(old, version.version), version }
}

function withoutGrace(key: ApiKeyRow, version: number): ApiKeyRow {
  return { ...key, version, graced_kid: null, graced_until: null, graced_used_at: null, graced_imported_prefix: null }
}
