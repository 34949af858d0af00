import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyDeleted } from '@tapeline/contracts/api-key/events'
import type { DeletedKey } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from './deps.ts'
import { lockKey, markKeyDeleted } from './key-queries.ts'
import { keyVersionChange } from './key-version-change.ts'
import { noSuchKey } from './no-such-key.ts'
import { tellGateways } from './tell-gateways.ts'

/** Removes a key: nobody sees it again, and its last version stays so that gateways refuse it. */
export async function deleteKey(deps: Deps, actor: UserActor, keyId: string): Promise<DeletedKey> {
  const now = deps.now()
  const { userId } = actor
  const change = await deps.db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, userId, keyId)
    if (key === undefined) throw noSuchKey()
    await markKeyDeleted(trx, userId, keyId, now)
    const version = key.version + 1
    const data = { key_id: keyId, kid: key.kid, account_id: userId, name: key.name, version }
    const event = newEvent(apiKeyDeleted, { id: deps.newId(), time: now, subject: keyId, account: userId, actor, data })
    await recordEvent(trx, event, keyVersionChange({ userId, kid: key.kid, version }))
    return { userId, kid: key.kid, version }
  })
  return { id: keyId, ...(await tellGateways(deps, change)) }
}
