import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyRevoked } from '@tapeline/contracts/api-key/events'
import type { KeyAnswer } from '@tapeline/contracts/api-key/http'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from './deps.ts'
import { lockKey, markKeyRevoked } from './key-queries.ts'
import { keyVersionChange } from './key-version-change.ts'
import { noSuchKey } from './no-such-key.ts'
import { presentKey } from './present-key.ts'
import { tellGateways } from './tell-gateways.ts'

/** Ends a key for good; it stays in the list. */
export async function revokeKey(deps: Deps, actor: UserActor, keyId: string): Promise<KeyAnswer> {
  const now = deps.now()
  const { userId } = actor
  const revoked = await deps.db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, userId, keyId)
    if (key === undefined) throw noSuchKey()
    if (key.state === 'revoked') throw new AppError('api_key.already_revoked', 'This API key is already revoked.')
    await markKeyRevoked(trx, userId, keyId, now)
    const version = key.version + 1
    const data = { key_id: keyId, kid: key.kid, account_id: userId, name: key.name, version }
    const event = newEvent(apiKeyRevoked, { id: deps.newId(), time: now, subject: keyId, account: userId, actor, data })
    await recordEvent(trx, event, keyVersionChange({ userId, kid: key.kid, version }))
    return { ...key, state: 'revoked' as const, revoked_at: now, version }
  })
  const effective = await tellGateways(deps, { userId, kid: revoked.kid, version: revoked.version })
  return { key: presentKey(revoked, now), ...effective }
}
