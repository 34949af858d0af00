import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyDeleted } from '@tapeline/contracts/api-key/events'
import type { DeletedKey } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { KeyDeps } from '../deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, lockKey } from './key-queries.ts'
import { publishVersion, versionChanges, versionOf } from './key-version.ts'
import { noSuchKey } from './no-such-key.ts'

/**
 * Deletes a key with all its secrets. Its last version is kept, so that gateways reject it.
 * @throws AppError api_key.not_found
 */
export async function deleteKey(deps: KeyDeps, actor: UserActor, keyId: string): Promise<DeletedKey> {
  const now = deps.now()
  const version = await deps.db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, actor, { keyId, now })
    if (key === undefined) throw noSuchKey()
    const deleted = { ...key, state: 'deleted' as const, deleted_at: now, version: key.version + 1 }
    await changeKey(trx, key, { state: 'deleted', deleted_at: now, version: deleted.version })
    const event = newEvent(apiKeyDeleted, { ...aboutKey(deps, actor, key), data: factOf(deleted) })
    const change = versionOf(key, deleted.version)
    await recordEvent(trx, event, ...versionChanges(change))
    return change
  })
  return { id: keyId, ...(await publishVersion(deps, version)) }
}
